import type { Progress } from "../progress/progress.ts";
import { plural, thousands } from "../report/number-text.ts";
import { driftLine } from "../results/fingerprint/drift-text.ts";
import { type RunReason, runReasons } from "../results/resume/resume-facts.ts";
import { notPlanned } from "../results/resume/stray-results.ts";
import type { EarlierPart } from "./earlier-part.ts";

/** Warnings told before the run, likewise. */
const shownWarnings = 10;
/** Files named before the run, likewise. */
const shownUnused = 10;
/** Differences named before the run; its reports have all of them. */
const shownDrift = 10;

interface Told extends EarlierPart {
  readonly warnings: readonly string[];
}

/** Says, before anything runs, what is taken over, what runs again and why, and what has changed since. */
export function tellContinued({ resume, drift, setAside, warnings }: Told, progress: Pick<Progress, "notice" | "warning">): void {
  if (resume === null) return;
  const because = runReasons.flatMap((reason) => {
    const count = resume.reasons[reason] ?? 0;
    return count === 0 ? [] : [countOf(reason, count)];
  });
  const reasons = because.length === 0 ? "" : ` (${because.join(", ")})`;
  const left = resume.rows_to_run === 0 ? "nothing is left to run" : `${thousands(resume.rows_to_run)} to run${reasons}`;
  progress.notice(`continuing, attempt ${resume.attempt}: ${plural(resume.rows_kept, "result")} kept, ${left}`);
  tellUnused(setAside, progress);
  // The reports have all of them, if the run comes to its end this time.
  for (const warning of warnings.slice(0, shownWarnings)) progress.warning(warning);
  if (warnings.length > shownWarnings) progress.warning(`and ${plural(warnings.length - shownWarnings, "more warning")} like these`);
  const grave = drift.filter(({ benign }) => !benign);
  if (grave.length > 0) {
    const what = resume.on_drift === "rerun" ? "what they concern runs again" : "its results are kept";
    progress.warning(`settings or files have changed since the earlier attempt; ${what}:`);
    for (const entry of grave.slice(0, shownDrift)) progress.warning(`  ${driftLine(entry)}`);
    if (grave.length > shownDrift) progress.warning(`  and ${grave.length - shownDrift} more, see run.md`);
  }
}

function countOf(reason: RunReason, count: number): string {
  if (reason === "error") return plural(count, "error");
  return `${thousands(count)} ${reason === "drift" ? "changed" : reason}`;
}

/** Other tasks of the run may be many, when only some of them are asked for: they are counted. */
function tellUnused(setAside: EarlierPart["setAside"], progress: Pick<Progress, "notice" | "warning">): void {
  const unused = setAside.filter(({ reason }) => reason !== notPlanned);
  const others = setAside.length - unused.length;
  for (const { path, reason, moved_to } of unused.slice(0, shownUnused))
    progress.warning(`${path} was not used: ${reason}${moved_to === null ? "" : ` (now ${moved_to})`}`);
  const more = unused.length - shownUnused;
  if (more > 0) progress.warning(`and ${plural(more, "more file was", "more files were")} not used, see run.md`);
  if (others === 0) return;
  const example = setAside.find(({ reason }) => reason === notPlanned)?.path ?? "";
  const which = others === 1 ? `does not count: ${example}` : `do not count: ${example}, …`;
  progress.notice(`${plural(others, "result")} of tasks that are not part of this run ${which}`);
}
