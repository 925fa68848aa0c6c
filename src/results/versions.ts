import { cut } from "./cut-text.ts";
import { driftList } from "./fingerprint/drift-list.ts";
import type { DriftEntry } from "./fingerprint/drift-schema.ts";
import { sortDrift } from "./fingerprint/drift-text.ts";
import { shortDigest } from "./fingerprint/value-text.ts";
import { type FieldVersions, firstTasks, type ReportedVersions, type Section, type Seen, sections } from "./reported-versions.ts";
import type { AnyObject } from "./tolerant.ts";

export interface ReconciledVersions {
  /** The run's `environment_info`. */
  readonly info: AnyObject;
  /** One entry for each thing of which the tasks saw different versions, what matters first. */
  readonly drift: readonly DriftEntry[];
}

/** More of one thing nobody reads. */
const maxShown = 20;
const maxDriftChars = 1000;

/**
 * The host's versions with what the tasks saw, different ones joined with ` | ` in the order of versions (formats.md 8.7, but 1.9 before 1.10),
 * and where they differ. A task that tells nothing differs from none.
 * @param host `environment_info` of the host
 */
export function reconcileVersions(host: AnyObject, reported: ReportedVersions): ReconciledVersions {
  const info: Record<string, unknown> = { ...host };
  const cli = new Map(reported.fields("single")).get("cli_version");
  if (cli !== undefined && cli.rows > 0) info.cli_version = joinedField(cli);
  const plugins = reported.fields("tool_plugins").filter(([, field]) => field.rows > 0);
  if (plugins.length > 0) info.tool_plugins = Object.fromEntries(plugins.map(([name, field]) => [name, joinedField(field)]));
  const probes = reported.fields("env_probe");
  if (probes.length > 0) {
    info.env_probe = Object.fromEntries(probes.map(([name, field]) => [name, field.rows > 0 ? joinedField(field) : "Not Found"]));
  }
  const drift = sections.flatMap((section) =>
    reported.fields(section).flatMap(([name, field]) => {
      const own = section === "single" && hostsOwn.has(name) ? host[name] : undefined;
      return differences({ section, name, field, ofHost: typeof own === "string" ? own : undefined });
    }),
  );
  return { info, drift: driftList(drift) };
}

/**
 * Adds what differs between tasks to the differences from an earlier execution. Those tell of the same thing who had it before and who has it
 * now, so that it stands there once. Earlier findings of this kind are found anew.
 */
export function withVersions({ info, drift }: ReconciledVersions, earlier: readonly DriftEntry[]): ReconciledVersions {
  const others = earlier.filter(({ kind }) => kind !== "versions");
  const told = new Set(others.flatMap(({ kind, field }) => (kind === "environment" ? [field] : [])));
  const { grave, benign } = sortDrift([...others, ...drift.filter(({ field }) => !told.has(field))]);
  return { info, drift: [...grave, ...benign] };
}

/** What wrote a result also wrote the run: results of another version are told even where all are. */
const hostsOwn: ReadonlySet<string> = new Set(["coder_eval", "evalbatch"]);

interface Compared {
  readonly section: Section;
  readonly name: string;
  readonly field: FieldVersions;
  readonly ofHost: string | undefined;
}

/** Nothing, or one entry: `now` is what the run has, else the task that was started last; `rows` are those without the most common value. */
function differences({ section, name, field, ofHost }: Compared): DriftEntry[] {
  const values = field.values();
  const now = ofHost ?? best(values, ({ lastMs }) => lastMs);
  const common = ofHost ?? best(values, ({ rows }) => rows, now);
  const others = values.filter(([version]) => version !== now);
  if (now === undefined || others.length === 0) return [];
  const isCommon = ([version]: readonly [string, Seen]): boolean => version === common;
  const shown = section === "image" ? shortImageId : (text: string): string => text;
  return [
    {
      kind: "versions",
      field: section === "single" ? name : section === "image" ? `image ${name}` : `${section}.${name}`,
      before: cut(
        joined(
          others.map(([version]) => shown(version)),
          field.hasMore,
        ),
        maxDriftChars,
      ),
      now: shown(now),
      set_by: null,
      // Tasks of different images or packages were meant to differ.
      benign: ofHost === undefined && field.explained,
      rows: field.rows - (values.find(isCommon)?.[1].rows ?? 0),
      tasks: firstTasks(values.filter((value) => !isCommon(value)).flatMap(([, { tasks }]) => tasks)),
    },
  ];
}

/** The value with the highest figure; of equal ones the preferred, else the newest. */
function best(values: readonly (readonly [string, Seen])[], figure: (seen: Seen) => number, preferred?: string): string | undefined {
  const highest = Math.max(...values.map(([, seen]) => figure(seen)));
  const winners = values.filter(([, seen]) => figure(seen) === highest).map(([version]) => version);
  return preferred !== undefined && winners.includes(preferred) ? preferred : winners.at(-1);
}

/** `1.9.0 | 1.10.0`: as many as a person reads, and how many more there are. */
function joined(versions: readonly string[], hasMore = false): string {
  const rest = versions.length - maxShown;
  const more = rest > 0 || hasMore ? [`… (${hasMore ? "more than " : ""}${Math.max(rest, 0)} more)`] : [];
  return [...versions.slice(0, maxShown), ...more].join(" | ");
}

/** The values of one thing, oldest first, joined with ` | ` (formats.md 8.7). */
export const joinedField = (field: FieldVersions): string =>
  joined(
    field.values().map(([version]) => version),
    field.hasMore,
  );

/** `name@sha256:…` or `sha256:…`, as much of it as tells it from another. */
function shortImageId(id: string): string {
  return shortDigest(id.slice(id.lastIndexOf("@") + 1));
}
