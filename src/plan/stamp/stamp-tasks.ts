import { InternalError } from "../../errors.ts";
import { compareCodePoints } from "../code-points.ts";
import type { Env } from "../expand-path.ts";
import { escapeInvisible } from "../found-text.ts";
import { giveWay } from "../give-way.ts";
import type { ResolvedDefinition, ResolvedTask } from "../resolved-task.ts";
import { digestOf, type Redact } from "./canonical.ts";
import { HostFiles, type Part } from "./host-files.ts";
import { criteriaUses, type HostUse, sharedUses } from "./host-uses.ts";
import { createPathNames } from "./path-names.ts";
import { createPortableValues, type PortableValues } from "./portable-values.ts";
import { type SettingsStamp, stampSettings } from "./stamp-settings.ts";
import { createTextStamps, type StampTexts } from "./stamp-texts.ts";
import type { TaskStamp } from "./task-stamp.ts";

export interface Stamps {
  /** @throws InternalError for a task that was not stamped */
  of(task: ResolvedTask): TaskStamp;
  /** By the name that stamps have for a folder (`folder templates/app`): its files, relative, and their digests. Of very large ones none. */
  readonly folders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What could not be read, one line each. */
  readonly problems: readonly string[];
}

export interface StampOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Env;
  /** Hides secrets. */
  readonly redact: Redact;
  readonly signal?: AbortSignal | undefined;
}

/** Tasks between two looks at what else wants to be done. */
const tasksAtOnce = 500;

/**
 * Stamps tasks: everything that can change their results (docs/resume.md), read now. Names no path of this machine, and no secret.
 * @throws InterruptedError, and nothing else: what cannot be read is a problem
 */
export async function stampTasks(tasks: readonly ResolvedTask[], options: StampOptions): Promise<Stamps> {
  const stamper = new TaskStamper(options);
  for (const [index, task] of tasks.entries()) {
    if (index % tasksAtOnce === 0) await giveWay(options.signal);
    await stamper.add(task);
  }
  const { files, stamps } = stamper;
  return {
    of: (task) => {
      const stamp = stamps.get(task.task);
      if (stamp === undefined) throw new InternalError(`the task ${JSON.stringify(task.key)} has no stamp`);
      return stamp;
    },
    folders: files.listings.all(),
    problems: files.problems,
  };
}

/** What the rows of a file have in common in one variant. */
interface Shared {
  readonly settings: SettingsStamp;
  readonly reference: unknown;
  readonly parts: readonly Part[];
}

class TaskStamper {
  readonly files: HostFiles;
  readonly stamps = new Map<ResolvedDefinition, TaskStamp>();
  readonly #env: Env;
  readonly #redact: Redact;
  readonly #values: PortableValues;
  readonly #texts: StampTexts;
  readonly #shared = new Map<ResolvedTask["contributions"], Shared>();
  readonly #settings = new Map<string, SettingsStamp>();
  /** Equal ones are one object. By the settings' key and the digest. */
  readonly #equal = new Map<string, Map<string, TaskStamp>>();

  constructor({ cwd, env, redact, signal }: StampOptions) {
    const names = createPathNames(cwd, env);
    this.files = new HostFiles({ names, redact, giveWay: () => giveWay(signal) });
    this.#env = env;
    this.#redact = redact;
    this.#values = createPortableValues(names, env);
    this.#texts = createTextStamps(redact);
  }

  async add(task: ResolvedTask): Promise<void> {
    // Replicates are one task.
    if (this.stamps.has(task.task)) return;
    const shared = this.#shared.get(task.contributions) ?? (await this.#share(task));
    this.#shared.set(task.contributions, shared);
    const uses = criteriaUses(task.task.success_criteria, task, this.#env);
    const parts = uses.length === 0 ? shared.parts : [...shared.parts, ...(await this.#partsOf(uses, task))];
    const content = contentOf([...Object.entries(this.#texts(task.task, shared.reference)), ...parts]);
    const digest = digestOf(`${shared.settings.digest}\n${content.map(([name, value]) => `${name}\t${value}\n`).join("")}`);
    const equal = this.#equal.get(shared.settings.key) ?? new Map<string, TaskStamp>();
    this.#equal.set(shared.settings.key, equal);
    const stamp = equal.get(digest) ?? { digest, settings: shared.settings.settings, content: Object.fromEntries(content) };
    equal.set(digest, stamp);
    this.stamps.set(task.task, stamp);
  }

  async #share(task: ResolvedTask): Promise<Shared> {
    const own = stampSettings(task, (path, value) => this.#values.setting(path, value, task), this.#redact);
    const settings = this.#settings.get(own.key) ?? own;
    this.#settings.set(own.key, settings);
    const parts = [...this.#repositoryOf(task), ...(await this.#partsOf(sharedUses(task, this.#env), task))];
    return { settings, reference: this.#values.reference(task), parts };
  }

  /** Of what lies elsewhere only the address and the commit are known. */
  #repositoryOf(task: ResolvedTask): Part[] {
    return (task.task.sandbox.template_sources ?? []).flatMap((source): Part[] => {
      if (source.type !== "repo") return [];
      const url = this.#values.repository(source.url, task);
      return [[`repo ${escapeInvisible(this.#redact(url))}`, source.commit === null ? "default branch" : this.#redact(source.commit)]];
    });
  }

  async #partsOf(uses: readonly HostUse[], task: ResolvedTask): Promise<Part[]> {
    const parts: Part[] = [];
    for (const use of uses) parts.push(...(await this.files.partsOf(use, task)));
    return parts;
  }
}

/** Sorted. A folder that a task uses in several ways has one digest of all that it takes of it. */
function contentOf(parts: readonly Part[]): Part[] {
  const values = new Map<string, Set<string>>();
  for (const [name, value] of parts) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values]
    .sort(([left], [right]) => compareCodePoints(left, right))
    .map(([name, [first = "", ...others]]) => [name, others.length === 0 ? first : digestOf([first, ...others].sort().join(" "))]);
}
