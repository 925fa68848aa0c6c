import { lstatSync, realpathSync, unlinkSync } from "node:fs";
import { posix } from "node:path";
import { maxLeftOut } from "../export-report.ts";
import type { ExportOptions, ExportReport } from "../sandbox.ts";
import { exportTree } from "./export-tree.ts";
import { type HeldDirectory, holdDirectory, withHandle } from "./held-directory.ts";
import { pruneTree } from "./prune-tree.ts";

/**
 * What `exportTo` does: an export of the working directory, or a prune of it where `hostDir` is that very directory (`inPlace`). What has
 * taken its place, perhaps a link to somebody's files, is never exported.
 * @throws what `exportTree` and `pruneTree` throw
 */
export async function keepWork(work: HeldDirectory, hostDir: string, inPlace: boolean, options: ExportOptions): Promise<ExportReport> {
  const state = work.state();
  if (state === "same")
    return await withHandle(work.again(), async (own) => await (inPlace ? pruneTree(own, options) : exportTree(own, hostDir, options)));
  const reason = `the working directory was ${state}`;
  if (inPlace) await pruneMoved(work, options);
  const rest = inPlace && state === "replaced" ? await pruneOther(work.at, options) : nothing;
  return { ...rest, leftOut: [{ path: ".", reason }, ...rest.leftOut].slice(0, maxLeftOut), leftOutCount: rest.leftOutCount + 1 };
}

const nothing: ExportReport = { files: 0, bytes: 0, leftOut: [], leftOutCount: 0 };

/** Moved to another name it still lies among what is kept. */
async function pruneMoved(work: HeldDirectory, options: ExportOptions): Promise<void> {
  const now = work.whereNow();
  if (now?.startsWith(`${posix.dirname(work.at)}/`) === true) await withHandle(work.again(), async (own) => await pruneTree(own, options));
}

/** What stands in a kept place is kept, so it must not lead elsewhere: a link or device goes, a directory becomes as every kept one. */
async function pruneOther(at: string, options: ExportOptions): Promise<ExportReport> {
  // Through a link further up it would be somebody else's place.
  if (realpathSync(posix.dirname(at)) !== posix.dirname(at)) return nothing;
  if (lstatSync(at).isDirectory()) {
    return await withHandle(holdDirectory(at), async (own) => await pruneTree(own, options));
  }
  unlinkSync(at);
  return nothing;
}
