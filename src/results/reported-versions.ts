import { createHash } from "node:crypto";
import { compareCodePoints } from "../plan/code-points.ts";
import { cut } from "./cut-text.ts";
import { SmallestKeys } from "./smallest-keys.ts";
import type { EvaluationResult } from "./task-result.ts";
import { isObject } from "./tolerant.ts";
import { compareVersions, isVersion } from "./version-order.ts";

/** What the rows with one value have in common. */
export interface Seen {
  rows: number;
  /** The first of their tasks, by name. */
  readonly tasks: readonly string[];
  /** When the last of them was started, in milliseconds. */
  lastMs: number;
}

/** The values that tasks told of one thing. */
export interface FieldVersions {
  /** Oldest first. */
  values(): readonly (readonly [version: string, seen: Seen])[];
  /** More values than are kept. */
  readonly hasMore: boolean;
  /** Rows that told one. */
  readonly rows: number;
  /** Every group of tasks with the same image and set-up told one value: what differs, differs because tasks asked for it. */
  readonly explained: boolean;
}

/** Things with a version: `cli_version`, `coder_eval`, `evalbatch`, `engine`; by name those of which there may be many. */
export interface ReportedVersions {
  add(result: EvaluationResult): void;
  /** What tasks told of it; also of what all of them looked for in vain. */
  readonly fields: (section: Section) => readonly (readonly [name: string, field: FieldVersions])[];
}

export const sections = ["single", "tool_plugins", "env_probe", "installed_tools", "image"] as const;
export type Section = (typeof sections)[number];

/** Each name of a section costs a field; images there may be as many as tasks. */
const maxNames = { single: 10, tool_plugins: 200, env_probe: 200, installed_tools: 200, image: 5000 } as const satisfies Record<
  Section,
  number
>;
const maxValues = 100;
const maxGroups = 5000;
const maxTasks = 5;
const maxChars = 200;

/** What stands in place of a version that nobody found (formats.md 5.7). */
const notFound = new Set(["", "unknown", "Not Found", "Not Installed"]);

/** Collects what the tasks of a run say about versions. Memory grows with the distinct values only, and is bounded. */
export function createReportedVersions(): ReportedVersions {
  const bySection = new Map(sections.map((section) => [section, new SmallestKeys<Field>(maxNames[section], compareCodePoints)]));

  return {
    fields: (section) => bySection.get(section)?.entries() ?? [],
    add(result) {
      const teller = tellerOf(result);
      const tell = (section: Section, name: string, value: unknown, group?: string): void => {
        if (typeof value !== "string") return;
        bySection
          .get(section)
          ?.at(cut(name, maxChars), () => new Field(section === "image" ? compareCodePoints : compareVersions))
          ?.add(value, teller, group);
      };
      const { environment_info: info, evalbatch } = result;
      const group = groupOf(result);
      if (isVersion(info.cli_version)) tell("single", "cli_version", info.cli_version, group);
      tell("single", "claude_code_cli", info.claude_code_cli, group);
      tell("single", "coder_eval", info.coder_eval);
      for (const section of ["tool_plugins", "env_probe", "installed_tools"] as const) {
        for (const [name, version] of isObject(info[section]) ? Object.entries(info[section]) : []) tell(section, name, version, group);
      }
      if (evalbatch === null) return;
      tell("single", "evalbatch", evalbatch.version);
      tell("single", "engine", evalbatch.sandbox?.engine_version);
      const { image, image_id } = evalbatch.sandbox ?? {};
      if (typeof image === "string") tell("image", image, image_id);
    },
  };
}

interface Teller {
  readonly taskId: string;
  readonly startedMs: number;
}

function tellerOf(result: EvaluationResult): Teller {
  const startedMs = Date.parse(result.started_at);
  return { taskId: cut(result.task_id, maxChars), startedMs: Number.isFinite(startedMs) ? startedMs : 0 };
}

class Field implements FieldVersions {
  readonly #values: SmallestKeys<{ rows: number; tasks: string[]; lastMs: number }>;
  /** Of each group its value, or null where there are several. */
  readonly #groups = new SmallestKeys<{ value: string | null }>(maxGroups, compareCodePoints);
  #rows = 0;

  constructor(order: (left: string, right: string) => number) {
    this.#values = new SmallestKeys(maxValues, order);
  }

  add(text: string, { taskId, startedMs }: Teller, group: string | undefined): void {
    const value = cut(text.trim().toWellFormed(), maxChars);
    if (notFound.has(value)) return;
    this.#rows += 1;
    const ofGroup = this.#groups.at(group ?? "", () => ({ value }));
    if (ofGroup !== undefined && ofGroup.value !== value) ofGroup.value = null;
    const seen = this.#values.at(value, () => ({ rows: 0, tasks: [], lastMs: Number.NEGATIVE_INFINITY }));
    if (seen === undefined) return;
    seen.rows += 1;
    seen.lastMs = Math.max(seen.lastMs, startedMs);
    if (!isAmong(seen.tasks, taskId)) seen.tasks = firstTasks([...seen.tasks, taskId]);
  }

  values(): [string, Seen][] {
    return this.#values.entries();
  }

  get hasMore(): boolean {
    return this.#values.hasMore;
  }

  get rows(): number {
    return this.#rows;
  }

  get explained(): boolean {
    return this.#groups.entries().every(([, { value }]) => value !== null);
  }
}

/** Whether one more task changes nothing of the first ones: most do not, and each row asks. */
function isAmong(tasks: readonly string[], task: string): boolean {
  const last = tasks[maxTasks - 1];
  return tasks.includes(task) || (last !== undefined && compareCodePoints(task, last) > 0);
}

/** The first by name, each once. */
export function firstTasks(tasks: readonly string[]): string[] {
  return [...new Set(tasks)].sort(compareCodePoints).slice(0, maxTasks);
}

/** What a task itself chose of what decides the versions that it sees: its image, and what is installed into it. */
function groupOf({ evalbatch, task_config }: EvaluationResult): string {
  const { sandbox, pre_run } = task_config?.resolved ?? {};
  const { driver, docker, python, node } = isObject(sandbox) ? sandbox : {};
  const image = evalbatch?.sandbox?.image ?? (isObject(docker) ? docker.image : undefined);
  const chosen = JSON.stringify([driver, image, python, node, pre_run]);
  return chosen.length <= maxChars ? chosen : createHash("sha256").update(chosen).digest("base64");
}
