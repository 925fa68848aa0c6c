import { createHash } from "node:crypto";
import { z } from "zod";
import { type AgentVersions, parseAgentVersions } from "../kits/agent-versions.ts";
import { didYouMean } from "../plan/did-you-mean.ts";
import { parseShare } from "../plan/run-settings.ts";
import { parseList } from "./input-list.ts";

// The kinds of values that inputs have, each read from its text. An empty text is the default.

/** A single line without control characters: it becomes a path, a label or an argument. */
const line = z.string().regex(/^\P{Cc}*$/u, "expected one line without control characters");
export const optionalLine = line.transform((value) => (value === "" ? undefined : value));

/** A line that becomes a name somewhere else. */
export const optionalName = (maxChars: number) =>
  optionalLine.refine((value) => value === undefined || value.length <= maxChars, `expected at most ${maxChars} characters`);

export const list = z.string().transform(parseList);

/** A word is compared whatever its case. */
export function choice<const Word extends string>(words: readonly Word[]) {
  return z.string().transform((value, context): Word | undefined => {
    if (value === "") return undefined;
    const word = words.find((candidate) => candidate.toLowerCase() === value.toLowerCase());
    if (word === undefined) {
      const near = didYouMean(value, words);
      context.addIssue({
        code: "custom",
        message: `expected ${words.map((name) => `"${name}"`).join(" or ")}, got ${quote(value)}${near === undefined ? "" : `; did you mean "${near}"?`}`,
      });
    }
    return word;
  });
}

export const choiceOr = <const Word extends string>(words: readonly Word[], standard: Word) =>
  choice(words).transform((word): Word => word ?? standard);

export const flag = (standard: boolean) => choice(["true", "false"]).transform((word) => (word === undefined ? standard : word === "true"));

/** As strict as YAML: `1e3`, `0x10` or `4 cores` is a mistake, not a number. */
export const count = (max: number) =>
  z.string().transform((value, context): number | undefined => {
    if (value === "") return undefined;
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < 1 || number > max) {
      context.addIssue({ code: "custom", message: `expected a whole number from 1 to ${max}, got ${quote(value)}` });
    }
    return number;
  });

/** A rate or score, 0 … 1. */
export const share = z.string().transform((value, context): number | undefined => {
  if (value === "") return undefined;
  const parsed = parseShare(value);
  if (parsed.kind === "share") return parsed.value;
  context.addIssue({ code: "custom", message: parsed.problem });
  return undefined;
});

/** Outside of a runner nobody replaces an expression of `action.yml`; its text is not a value. */
const isExpression = (value: string): boolean => value.startsWith("${{");

/** Never shown, so that a wrong one is told by its form alone. */
export const token = line.transform((value) => (value === "" || isExpression(value) ? undefined : value));

/** `latest`, or the id of a workflow run, also where it stands in the address of the run's page. */
export const runToResume = z.string().transform((value, context): string | undefined => {
  if (value === "") return undefined;
  if (value.toLowerCase() === "latest") return "latest";
  const id = /^https?:\/\/\S+\/actions\/runs\/(\d+)(?:[/?#]\S*)?$/.exec(value)?.[1] ?? value;
  if (/^[1-9]\d{0,14}$/.test(id)) return id;
  const message = `expected "latest" or the id of a workflow run (the number in the address of its page), got ${quote(value)}`;
  context.addIssue({ code: "custom", message });
  return undefined;
});

/** Versions of agents' programs; undefined where nothing is said. */
export const agentVersions = z.string().transform((value, context): AgentVersions | undefined => {
  if (value === "") return undefined;
  const parsed = parseAgentVersions(value);
  if (parsed.kind === "versions") return parsed.versions;
  context.addIssue({ code: "custom", message: parsed.problem });
  return undefined;
});

const maxLegChars = 32_768;

/** `toJSON(matrix)`: JSON text, or undefined for a job without a matrix. A huge one is known by its hash: legs stay apart. */
export const matrixLeg = z.string().transform((value): string | undefined => {
  if (["", "null", "{}"].includes(value.replace(/\s/g, "")) || isExpression(value)) return undefined;
  if (value.length <= maxLegChars) return value;
  return JSON.stringify({ leg: createHash("sha256").update(value).digest("hex").slice(0, 16) });
});

/** Foreign text for a message: one line, bounded. */
export const quote = (value: string): string => JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
