import type { ReportedVersions, Section } from "../reported-versions.ts";
import { sections } from "../reported-versions.ts";
import { joinedField } from "../versions.ts";
import type { Fingerprint, FingerprintRow, MadeIn } from "./fingerprint.ts";

const prefixes: Readonly<Partial<Record<Section, string>>> = { image: "image ", tool_plugins: "plugin " };

/** What the rows of an execution told of their surroundings, flat: `engine`, `image node:24` and its id, a program and its version. */
export function environmentOf(reported: ReportedVersions): Record<string, string> {
  const facts: Record<string, string> = {};
  for (const section of sections) {
    for (const [name, field] of reported.fields(section)) {
      if (field.rows > 0) facts[`${prefixes[section] ?? ""}${name}`] = joinedField(field);
    }
  }
  return facts;
}

/** It runs outside: what results say of it is known before. */
const harness = "evalbatch";

/** The fingerprint with what is known of the surroundings only after its rows ran; kept rows stay as they are. */
export function withEnvironment(fingerprint: Fingerprint, environment: Readonly<Record<string, string>>): Fingerprint {
  const { run, own } = fingerprint;
  if (own === undefined) return fingerprint;
  const known = own.madeIn.environment;
  // A sandbox has a Node as well, and results hang on that one, not on the host's.
  const told = Object.entries(environment)
    .filter(([name]) => name !== harness)
    .map(([name, value]) => [Object.hasOwn(known, name) ? `sandbox ${name}` : name, value]);
  const madeIn: MadeIn = { ...own.madeIn, environment: { ...Object.fromEntries(told), ...known } };
  const rows = new Map<string, FingerprintRow>();
  for (const [key, row] of own.rows) rows.set(key, row.madeIn === own.madeIn ? { ...row, madeIn } : row);
  return { run, own: { ...own, madeIn, rows } };
}
