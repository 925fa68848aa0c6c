import { rename } from "node:fs/promises";
import { join } from "node:path";
import { compareCodePoints } from "../../plan/code-points.ts";
import { fileNames } from "../layout.ts";
import { walkResults } from "../result-tree.ts";

const pages: readonly (readonly string[])[] = [
  [fileNames.variant, fileNames.variantMarkdown],
  [fileNames.suite, fileNames.suiteMarkdown],
];

/**
 * Renames reports of variants and suites that an earlier execution wrote and this one did not, to `<name>.previous`: who looks into their
 * directories must not take them for the state of the run. Never throws: what cannot be renamed stays.
 * @param written directories whose reports are of now, relative to the run directory
 * @returns what was renamed, by path
 */
export async function setAsideStaleReports(runDir: string, written: ReadonlySet<string>): Promise<string[]> {
  const moved: string[] = [];
  for (const names of pages) {
    for (const name of names) {
      for (const { kind, path } of [...walkResults(runDir, name)]) {
        if (kind !== "file" || written.has(path.slice(0, -name.length - 1))) continue;
        const isMoved = await rename(join(runDir, path), join(runDir, `${path}.previous`)).then(
          () => true,
          () => false,
        );
        if (isMoved) moved.push(path);
      }
    }
  }
  return moved.sort(compareCodePoints);
}
