import type { Progress } from "../progress/progress.ts";
import { plural } from "../report/number-text.ts";
import { driftLine } from "../results/fingerprint/drift-text.ts";
import { runReasons } from "../results/resume/resume-facts.ts";
import type { EarlierPart } from "./earlier-part.ts";

/** Differences named before the run; its reports have all of them. */
const shownDrift = 10;

/** Says, before anything runs, what is taken over, what runs again and why, and what has changed since. */
export function tellContinued({ resume, drift, setAside }: EarlierPart, progress: Pick<Progress, "notice" | "warning">): void {
  if (resume === null) return;
  const because = runReasons.flatMap((reason) => {
    const count = resume.reasons[reason] ?? 0;
    return count === 0 ? [] : [`${count} ${reason === "drift" ? "changed" : reason}`];
  });
  const reasons = because.length === 0 ? "" : ` (${because.join(", ")})`;
  const left = resume.rows_to_run === 0 ? "nothing is left to run" : `${resume.rows_to_run} to run${reasons}`;
  progress.notice(`continuing, attempt ${resume.attempt}: ${plural(resume.rows_kept, "result")} kept, ${left}`);
  for (const { path, reason, moved_to } of setAside)
    progress.warning(`${path} was not used: ${reason}${moved_to === null ? "" : ` (now ${moved_to})`}`);
  const grave = drift.filter(({ benign }) => !benign);
  if (grave.length > 0) {
    const what = resume.on_drift === "rerun" ? "what was made with them runs again" : "results made with them were kept";
    progress.warning(`settings or files have changed since the earlier attempt; ${what}:`);
    for (const entry of grave.slice(0, shownDrift)) progress.warning(`  ${driftLine(entry)}`);
    if (grave.length > shownDrift) progress.warning(`  and ${grave.length - shownDrift} more, see run.md`);
  }
}
