import { InputError, type Issue } from "../../errors.ts";
import { didYouMean } from "../did-you-mean.ts";
import { quote } from "../found-text.ts";
import { parseImageReference } from "../image-reference.ts";
import type { Fields } from "../layers/merge.ts";
import { knownAgentTypes } from "../schema/agent-schema.ts";
import { isMapping } from "../schema/field-types.ts";
import { checkValue } from "./check-value.ts";
import { findField } from "./find-field.ts";
import { cliFlagNames, type FlagNames } from "./flag-names.ts";
import { type Assignment, clashes } from "./override-clashes.ts";
import { readOverrideValue } from "./override-value.ts";
import type { OverrideFlags, Overrides } from "./overrides.ts";
import type { SettingRoot } from "./setting-roots.ts";

export { cliFlagNames, inputNames } from "./flag-names.ts";

/** Replicates have two digits in the run directory (formats.md 3.3). */
export const maxRepeats = 99;

/**
 * Reads `PATH=VALUE` settings and the flags that are short for one (formats.md 3.4): each path is looked up and each value
 * checked here, once for all tasks. Values stay as they were given; the merge coerces them.
 * @param names how messages name what the user wrote
 * @throws InputError with all problems, code `usage`
 */
export function parseOverrides(flags: OverrideFlags, names: FlagNames = cliFlagNames): Overrides {
  const issues: Issue[] = [];
  const refuse = (message: string, hint?: string): void => {
    issues.push({ severity: "error", code: "usage", message, hint });
  };
  const entries = flags.set.map((entry) => splitEntry(entry));
  const agentType = knownType(entries, flags.type);
  const assignments = entries.flatMap((entry) => assignmentOf(entry, agentType, names, refuse));
  const hasType = assignments.some(({ field }) => field.path.join(".") === "agent.type");
  assignments.push(...flagAssignments(flags, names, hasType, refuse));
  for (const { message, hint } of clashes(assignments)) refuse(message, hint);
  const { repeats } = flags;
  if (repeats !== undefined && !(Number.isInteger(repeats) && repeats >= 1 && repeats <= maxRepeats))
    refuse(`${names.repeats}: found ${repeats}, expected a whole number from 1 to ${maxRepeats}`);
  if (flags.image !== undefined && parseImageReference(flags.image) === undefined)
    refuse(`${names.image}: ${quote(flags.image)} is no image reference`, "write [registry/]name[:tag], in lower case");
  if (issues.length > 0) throw new InputError(issues);
  const root = (name: SettingRoot): Fields => fieldsOf(assignments.filter(({ field }) => field.root === name));
  const byTypeFlag = flags.type !== undefined && !hasType;
  return {
    agent: root("agent"),
    run_limits: root("run_limits"),
    sandbox: root("sandbox"),
    repeats,
    image: flags.image,
    // Results read alike whatever the door: the words of the command line, also in the action.
    detailOf: (path) => (path === "agent.type" && byTypeFlag ? cliFlagNames.type : `-D ${path}`),
  };
}

interface Entry {
  readonly raw: string;
  /** Trimmed. */
  readonly path: string;
  /** Undefined where there is no `=`. */
  readonly text: string | undefined;
}

/** Path and value of `PATH=VALUE`, at the first `=`; the value keeps its blanks. */
export function splitEntry(raw: string): Entry {
  const equals = raw.indexOf("=");
  return equals < 0 ? { raw, path: raw.trim(), text: undefined } : { raw, path: raw.slice(0, equals).trim(), text: raw.slice(equals + 1) };
}

/** The type that the agent will have whatever the other layers say. */
function knownType(entries: readonly Entry[], flag: string | undefined): string | undefined {
  const given = entries.find(({ path, text }) => path === "agent.type" && text !== undefined);
  const read = readOverrideValue(given?.text ?? flag ?? "");
  const type = read.kind === "value" && typeof read.value === "string" ? read.value : undefined;
  return knownAgentTypes.find((known) => known === type);
}

type Refuse = (message: string, hint?: string) => void;

function assignmentOf({ raw, path, text }: Entry, agentType: string | undefined, names: FlagNames, refuse: Refuse): Assignment[] {
  if (text === undefined) {
    refuse(`${names.place(shown(raw))}: expected PATH=VALUE, found no '='`, `for example ${names.example("run_limits.max_turns=5")}`);
    return [];
  }
  const place = names.place(shown(path));
  if (path === "") {
    refuse(`${names.place(quote(raw))}: the path before '=' is empty`, `for example ${names.example("run_limits.max_turns=5")}`);
    return [];
  }
  const field = findField(path, agentType, names);
  if (field.kind === "problem") refuse(`${place}: ${field.message}`, field.hint);
  const read = readOverrideValue(text);
  if (read.kind === "problem") refuse(`${place}: ${read.message}`, read.hint);
  if (field.kind === "problem") return [];
  if (read.kind === "value")
    for (const { message, hint } of checkValue(field, read.value, text, names)) refuse(`${place}: ${message}`, hint);
  return [{ field, value: read.kind === "value" ? read.value : null, from: names.set }];
}

function flagAssignments(flags: OverrideFlags, names: FlagNames, hasType: boolean, refuse: Refuse): Assignment[] {
  const { type, model, driver } = flags;
  if (type !== undefined && !knownAgentTypes.some((known) => known === type)) {
    const meant = didYouMean(type, knownAgentTypes);
    refuse(
      `${names.type}: found ${quote(type)}, expected one of ${knownAgentTypes.join(", ")}`,
      meant === undefined ? undefined : `did you mean '${meant}'?`,
    );
  }
  if (model?.trim() === "")
    refuse(`${names.model}: the name of the model is empty`, `for no model at all: ${names.example("agent.model=null")}`);
  const set = (path: string, value: string | undefined, from: string): Assignment[] => {
    const field = findField(path, undefined);
    return value === undefined || field.kind === "problem" ? [] : [{ field, value, from }];
  };
  return [
    // `-D agent.type=` beats the flag (formats.md 3.4).
    ...set("agent.type", hasType ? undefined : type, names.type),
    ...set("agent.model", model, names.model),
    ...set("sandbox.driver", driver, names.driver),
  ];
}

/** A path as a message shows it: plain where it is made of plain words. */
function shown(path: string): string {
  return /^[\w.-]{1,80}$/.test(path) ? path : quote(path);
}

function fieldsOf(assignments: readonly Assignment[]): Fields {
  let fields: Fields = {};
  for (const { field, value } of assignments) fields = withValue(fields, field.path.slice(1), value);
  return fields;
}

function withValue(fields: Fields, path: readonly string[], value: unknown): Fields {
  const [step, ...rest] = path;
  if (step === undefined) return fields;
  const inner = Object.hasOwn(fields, step) ? fields[step] : undefined;
  return { ...fields, [step]: rest.length === 0 ? value : withValue(isMapping(inner) ? inner : {}, rest, value) };
}
