import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { errorMessage } from "../../errors.ts";
import { storageError, writeFileAtomic } from "../atomic-file.ts";
import { toJsonText } from "../json-text.ts";
import { fileNames } from "../layout.ts";
import { suiteDir } from "./suite-dir.ts";
import type { SuiteRollup } from "./suite-rollup-schema.ts";

export interface SuiteFile {
  readonly rollup: SuiteRollup;
  /** `suite.md` */
  readonly markdown: string;
}

/** Writes `suite.json` and `suite.md` beside the directories of each suite's rows. Never throws: `run.json` has the verdict. Gives what could not be written. */
export async function writeSuiteFiles(runDir: string, suites: readonly SuiteFile[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { rollup, markdown } of suites) {
    const directory = join(runDir, suiteDir(rollup.variant_id, rollup.suite_id));
    try {
      await mkdir(directory, { recursive: true }).catch((error: unknown) => {
        throw storageError(error, directory);
      });
      await writeFileAtomic(join(directory, fileNames.suite), [toJsonText(rollup, 2)]);
      await writeFileAtomic(join(directory, fileNames.suiteMarkdown), [markdown]);
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  return problems;
}
