import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";
import { InputError, type Issue } from "../../../src/errors.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import { renderIssues } from "../../../src/plan/render-issues.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";
import { root } from "./source-files.ts";

const folder = join(root, "test/fixtures/errors");

/** One example of what somebody may do wrong: `test/fixtures/errors/<code>.yaml`, or `<code>~<more>.yaml` for another one of the same kind. */
const exampleSchema = z.strictObject({
  /** One sentence; only the first example of a code needs it. */
  about: z.string().optional(),
  /** Texts by name. */
  files: z.record(z.string(), z.string()).default({}),
  /** Files of so many letters. */
  sizes: z.record(z.string(), z.number()).default({}),
  /** Files of bytes, in hexadecimal. */
  bytes: z.record(z.string(), z.string()).default({}),
  env: z.record(z.string(), z.string()).default({}),
  patterns: z.array(z.string()).default(["task.yaml"]),
  tags: z.array(z.string()).default([]),
  experiment: z.string().optional(),
  variants: z.array(z.string()).default([]),
  set: z.array(z.string()).default([]),
  type: z.string().optional(),
  repeats: z.number().optional(),
  maxTasks: z.number().optional(),
});

type Example = z.output<typeof exampleSchema>;

export interface ErrorKind {
  readonly code: string;
  readonly about: string;
  readonly severities: readonly Issue["severity"][];
  /** As a terminal shows them. */
  readonly messages: readonly string[];
}

/** Every kind that has examples, by code, with the messages that they give. @throws Error for an example that does not give its code */
export async function errorKinds(): Promise<readonly ErrorKind[]> {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const kinds = new Map<string, ErrorKind>();
  const failed: string[] = [];
  for (const name of names) {
    const code = name.replace(/(?:~.*)?\.yaml$/, "");
    const example = exampleSchema.parse(parse(readFileSync(join(folder, name), "utf8")));
    const all = await issuesOf(example);
    const issues = all.filter((issue) => issue.code === code);
    if (issues.length === 0) {
      failed.push(`${name} gives no '${code}' but ${all.map((issue) => `'${issue.code}' (${issue.message})`).join(", ")}`);
      continue;
    }
    const before = kinds.get(code);
    kinds.set(code, {
      code,
      about: before?.about ?? example.about ?? "",
      severities: [...new Set([...(before?.severities ?? []), ...issues.map(({ severity }) => severity)])],
      messages: [...(before?.messages ?? []), renderIssues(issues, (file, line) => example.files[file]?.split("\n")[line - 1])],
    });
  }
  if (failed.length > 0) throw new Error(failed.join("\n"));
  return [...kinds.values()].sort((a, b) => (a.code < b.code ? -1 : 1));
}

async function issuesOf(example: Example): Promise<readonly Issue[]> {
  const sized = Object.entries(example.sizes).map(([name, size]) => [name, "x".repeat(size)] as const);
  await using place = await taskFolder({ ...example.files, ...Object.fromEntries(sized) });
  for (const [name, hex] of Object.entries(example.bytes)) await writeFile(join(place.path, name), Buffer.from(hex, "hex"));
  const { env, patterns, tags, experiment, variants, set, type, repeats, maxTasks } = example;
  const options = planOptions(place.path, {
    env,
    patterns,
    tags,
    experiment,
    variants,
    overrides: { set, type, repeats },
    cap: maxTasks === undefined ? undefined : { maxTasks, onMore: "fail", seed: "seed" },
  });
  try {
    return (await makePlan(options)).issues;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.issues;
  }
}

/** `docs/errors.md`. */
export function errorPage(kinds: readonly ErrorKind[]): string {
  const rows = kinds.map(({ code, about, severities }) => `| [\`${code}\`](#${code}) | ${severities.join(", ")} | ${about} |`);
  const sections = kinds.map(({ code, about, messages }) =>
    [`## ${code}`, "", about, ...messages.flatMap((message) => ["", "```text", message, "```"])].join("\n"),
  );
  return `${[
    "# Messages about tasks, experiments and settings",
    "",
    "Everything that `evalbatch plan` and the start of a run can find wrong, by its code, each with a message as a terminal shows it:",
    "where it is, what was found, the line, and what to do. An *error* keeps the file (or, without a file, the run) from",
    "running; a *warning* tells what will happen. All problems of a file are told at once.",
    "",
    "This page is made by `test/unit/house/errors-page.test.ts` from the examples in `test/fixtures/errors`.",
    "",
    "| code | severity | meaning |",
    "|---|---|---|",
    ...rows,
  ].join("\n")}\n\n${sections.join("\n\n")}\n`;
}
