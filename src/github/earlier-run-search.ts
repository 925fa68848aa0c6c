import { chmod, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { type PlanFile, planFileSchema } from "../results/plan-file.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import { manifestName } from "../untrusted/files/manifest.ts";
import type { ArtifactAccess, Candidate } from "./earlier-run-access.ts";
import { whyForeign } from "./earlier-run-origin.ts";
import { quote } from "./input-types.ts";
import { openRunArchive, type RunArchive } from "./run-archive.ts";
import { RefusedArchive } from "./run-archive-entries.ts";

/** What was found among some artifacts. */
export type SearchEnd =
  | { readonly kind: "found"; readonly candidate: Candidate; readonly origin: RunOrigin }
  | { readonly kind: "nothing" }
  /** Two jobs cannot be told apart: to take one's results for the other's would be worse than to run everything. */
  | { readonly kind: "ambiguous"; readonly why: string };

export interface SearchOptions {
  readonly origin: RunOrigin;
  readonly access: ArtifactAccess;
  /** Absolute, ours alone: for what is downloaded. */
  readonly workDir: string;
  /** Absolute; absent or an empty directory. */
  readonly into: string;
  readonly signal: AbortSignal;
}

/** Downloads in all: more artifacts that look like this job's and are not is no accident. */
const maxInspected = 10;

type Inspected =
  | { readonly kind: "fits"; readonly archive: RunArchive; readonly plan: PlanFile; readonly origin: RunOrigin }
  | { readonly kind: "refused" };

/** Looks for this job's results in artifacts, one group of them after the other; none is looked at twice. */
export class EarlierRunSearch implements Disposable {
  /** What was not used and why, and what the reader should know of what was; hold foreign text. */
  readonly notes: string[] = [];
  readonly #options: SearchOptions;
  readonly #inspected = new Map<number, Inspected>();
  #skipped = false;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /**
   * Takes the newest one that is whole and of this job.
   * @throws errors of the file system, and of the signal
   */
  async among(candidates: readonly Candidate[]): Promise<SearchEnd> {
    const fresh = candidates.filter(({ id }) => !this.#inspected.has(id));
    const sorted = fresh.sort((a, b) => (b.createdAtMs ?? 0) - (a.createdAtMs ?? 0) || b.id - a.id);
    for (const [index, candidate] of sorted.entries()) {
      const found = await this.#inspect(candidate);
      if (found.kind === "refused") continue;
      const twin = await this.#findTwin(candidate, found, sorted.slice(index + 1));
      if (twin !== undefined) {
        const names = `${quote(candidate.name)} and ${quote(twin.name)}`;
        const why = `the artifacts ${names} are of two jobs that cannot be told apart: give each its own \`artifact-name\``;
        return { kind: "ambiguous", why };
      }
      if (await this.#unpack(candidate, found)) return { kind: "found", candidate, origin: found.origin };
    }
    return { kind: "nothing" };
  }

  [Symbol.dispose](): void {
    for (const one of this.#inspected.values()) if (one.kind === "fits") one.archive[Symbol.dispose]();
  }

  async #inspect(candidate: Candidate): Promise<Inspected> {
    const known = this.#inspected.get(candidate.id);
    if (known !== undefined) return known;
    if (this.#inspected.size >= maxInspected) {
      if (!this.#skipped)
        this.notes.push(`artifact ${quote(candidate.name)} and older ones were not looked at: ${maxInspected} others were`);
      this.#skipped = true;
      return { kind: "refused" };
    }
    const read = await this.#read(candidate);
    this.#options.signal.throwIfAborted();
    if (typeof read === "string") this.#refuse(candidate, read);
    const inspected: Inspected = typeof read === "string" ? { kind: "refused" } : read;
    this.#inspected.set(candidate.id, inspected);
    return inspected;
  }

  #refuse({ name }: Candidate, reason: string): void {
    this.notes.push(`artifact ${quote(name)} was not used: ${reason}`);
  }

  /** @returns what is in it, or why it is not used */
  async #read(candidate: Candidate): Promise<Inspected | string> {
    const { access, workDir, origin, signal } = this.#options;
    const downloaded = await access.download(candidate, join(workDir, String(candidate.id)));
    if (downloaded.kind === "failed") return downloaded.reason;
    let archive: RunArchive | undefined;
    try {
      archive = await openRunArchive(downloaded.data);
      const plan = readPlan(await archive.readText("plan.json", signal));
      const why =
        typeof plan === "string" ? plan : (whyForeign(plan.origin, origin, candidate.runId) ?? whyOtherAttempt(candidate, plan.origin));
      if (typeof plan !== "string" && plan.origin !== null && why === undefined)
        return { kind: "fits", archive, plan, origin: plan.origin };
      archive[Symbol.dispose]();
      return why ?? "it does not say where it comes from";
    } catch (error) {
      archive?.[Symbol.dispose]();
      if (error instanceof RefusedArchive) return error.message;
      throw error;
    }
  }

  /** Another run of what says to be the same job in the same attempt; not the same run, uploaded a second time. */
  async #findTwin(
    candidate: Candidate,
    { plan, origin }: Extract<Inspected, { kind: "fits" }>,
    others: readonly Candidate[],
  ): Promise<Candidate | undefined> {
    for (const other of others) {
      // A name is given once in an attempt.
      if (other.runId !== candidate.runId || other.name === candidate.name) continue;
      if (!other.attempts.includes(origin.workflow_run_attempt)) continue;
      const found = await this.#inspect(other);
      if (found.kind === "refused" || found.origin.workflow_run_attempt !== origin.workflow_run_attempt) continue;
      if (found.plan.run_id !== plan.run_id || found.plan.start_time !== plan.start_time) return other;
    }
    return undefined;
  }

  /** Into its place at once, so that a kill leaves nothing half there. */
  async #unpack(candidate: Candidate, { archive }: Extract<Inspected, { kind: "fits" }>): Promise<boolean> {
    const { into, signal } = this.#options;
    const parent = dirname(into);
    await mkdir(parent, { recursive: true });
    const aside = await mkdtemp(join(parent, ".evalbatch-earlier-"));
    try {
      await archive.extract(aside, signal);
      await this.#tellOfGaps(candidate, archive);
      signal.throwIfAborted();
      await chmod(aside, 0o755);
      await rename(aside, into);
      return true;
    } catch (error) {
      await rm(aside, { recursive: true, force: true });
      if (!(error instanceof RefusedArchive)) throw error;
      this.#refuse(candidate, error.message);
      return false;
    }
  }

  async #tellOfGaps({ name }: Candidate, archive: RunArchive): Promise<void> {
    if (archive.unknown > 0)
      this.notes.push(`${archive.unknown} files of artifact ${quote(name)} belong to no run directory and were left out`);
    const lost = lostResults(await archive.readText(manifestName, this.#options.signal));
    if (lost > 0) this.notes.push(`${lost} results were too large for artifact ${quote(name)} or could not be read: their tasks run again`);
  }
}

function readPlan(text: string | undefined): PlanFile | string {
  if (text === undefined) return "it has no plan.json, so that nobody knows whose it is";
  try {
    const read = planFileSchema.safeParse(JSON.parse(text));
    return read.success ? read.data : "its plan.json is not of the form that this version knows";
  } catch {
    return "its plan.json is no JSON";
  }
}

/** Names with a number behind them may be another attempt's: what counts is what it says of itself. */
function whyOtherAttempt({ attempts }: Candidate, origin: RunOrigin | null): string | undefined {
  const attempt = origin?.workflow_run_attempt ?? 0;
  return attempts.includes(attempt) ? undefined : `it was made in attempt ${attempt}, which its name does not say`;
}

const manifest = z.object({ left_out: z.array(z.object({ path: z.string() }).catch({ path: "" })).catch([]) });

function lostResults(text: string | undefined): number {
  try {
    return manifest.parse(JSON.parse(text ?? "{}")).left_out.filter(({ path }) => /(?:^|\/)task\.json$/.test(path)).length;
  } catch {
    return 0;
  }
}
