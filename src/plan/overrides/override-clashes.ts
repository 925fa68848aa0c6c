import { quote } from "../found-text.ts";
import type { Field, Finding } from "./find-field.ts";

/** A path of `set` or a flag, and the value that it sets. */
export interface Assignment {
  readonly field: Field;
  readonly value: unknown;
  /** As messages name where it came from. */
  readonly from: string;
}

/** Of which only one can hold (formats.md 1.3). */
const exclusivePair = ["agent.system_prompt", "agent.system_prompt_file"] as const;

/** What is set twice, or is set and also a part of something else that is set: which one was meant cannot be known. */
export function clashes(assignments: readonly Assignment[]): Finding[] {
  const set = assignments.map(({ field, from, value }) => ({ path: field.path.join("."), from, value }));
  const findings = new Map<string, Finding>();
  set.forEach((first, index) => {
    for (const second of set.slice(index + 1)) {
      if (first.path === second.path) {
        const by = first.from === second.from ? `set by ${first.from} more than once` : `set by both ${second.from} and ${first.from}`;
        findings.set(first.path, { message: `${quote(first.path)} is ${by}`, hint: "set it once" });
        continue;
      }
      const [outer, inner] = first.path.length < second.path.length ? [first, second] : [second, first];
      if (!inner.path.startsWith(`${outer.path}.`)) continue;
      findings.set(`${outer.path} ${inner.path}`, {
        message: `${quote(inner.path)} is set, and ${quote(outer.path)}, which holds it, is set as well`,
        hint: "set the fields one by one, or the whole",
      });
    }
  });
  const [text, file] = exclusivePair.map((path) => set.find((one) => one.path === path && one.value !== null));
  if (text !== undefined && file !== undefined)
    findings.set("pair", { message: `'${text.path}' and '${file.path}' are both set, and exclude each other`, hint: "set one of them" });
  return [...findings.values()];
}
