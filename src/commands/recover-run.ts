import { access } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { SavedRun } from "../github/state.ts";
import { experimentFiles } from "../report/experiment-files.ts";
import { renderRunHtml } from "../report/run-html.ts";
import { renderRunMarkdown } from "../report/run-markdown.ts";
import { suiteFiles } from "../report/suite-markdown.ts";
import { writeExperimentFiles } from "../results/experiment/write-experiment.ts";
import { type GatePolicy, judgeGate } from "../results/gate.ts";
import { fileNames } from "../results/layout.ts";
import { rebuildSummary, setAsideBrokenRun } from "../results/rebuild.ts";
import { writeRunFiles } from "../results/store.ts";
import { writeSuiteFiles } from "../results/suites/write-suites.ts";
import { version } from "../version.ts";
import type { PublishableRun } from "./publish.ts";

/**
 * A run that its own process could not finish, from what lies on the disk: its summary is computed anew from the `task.json` files and
 * written, so that the directory is whole. A run without a `run.json` was killed while it ran, and is marked as interrupted.
 * @returns undefined where the directory holds no run, or is gone; nothing is written there then
 */
export async function recoverRun({ runDir, cwd }: SavedRun, policy: GatePolicy): Promise<PublishableRun | undefined> {
  // Written before anything runs: a directory without it is none that we made, whatever else is found in it.
  const planned =
    isAbsolute(runDir) &&
    (await access(join(runDir, fileNames.plan)).then(
      () => true,
      () => false,
    ));
  if (!planned) return undefined;
  const { summary, totals, suites, brokenRunJson } = await rebuildSummary(runDir, { version, unfinished: "interrupted" });
  if (summary.tasks_planned === 0 && summary.skipped_tasks.length === 0) return undefined;
  if (brokenRunJson) await setAsideBrokenRun(runDir);
  const markdown = renderRunMarkdown(summary, totals);
  await writeRunFiles(runDir, summary, { markdown, html: renderRunHtml(summary, totals) });
  await writeSuiteFiles(runDir, suiteFiles(suites));
  await writeExperimentFiles(runDir, experimentFiles(summary));
  return { summary, gate: judgeGate(summary, policy), runDir, cwd, markdown };
}
