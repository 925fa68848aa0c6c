import { appendFile, stat } from "node:fs/promises";
import { errorMessage } from "../errors.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { fitMarkdown } from "./size-ladder.ts";

/** One byte over 1 MiB and GitHub drops the whole summary of the step; reports of near-limit failures say: keep away from it. */
export const maxSummaryBytes = 1_000_000;

/** What became of the summary; a failure is a warning with what to do, never the verdict. */
export type SummaryEnd =
  | { readonly kind: "written"; readonly shortened: boolean }
  | { readonly kind: "skipped"; readonly why: string }
  | { readonly kind: "failed"; readonly why: string };

/**
 * Appends a report to the job summary.
 * @param path the file behind `GITHUB_STEP_SUMMARY`; undefined where the runner has none
 * @param ladder renderings from the fullest to the shortest (see `fitMarkdown`)
 */
export async function writeSummary(path: string | undefined, ladder: Iterable<SafeMarkdown>): Promise<SummaryEnd> {
  if (path === undefined) return { kind: "skipped", why: "this runner has no job summary (GITHUB_STEP_SUMMARY is not set)" };
  try {
    // Something of the same step may have written before us: the limit is for both.
    const before = await sizeOf(path);
    const gap = before === 0 ? md`` : md`\n\n`;
    const { text, shortened } = fitMarkdown(ladder, Math.max(0, maxSummaryBytes - before - gap.length));
    // What stands there may end within a line or a table.
    if (text !== "") await appendFile(path, `${gap}${text}`);
    return { kind: "written", shortened };
  } catch (error) {
    return { kind: "failed", why: `the job summary could not be written: ${errorMessage(error)}` };
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
