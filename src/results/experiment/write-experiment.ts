import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "../../errors.ts";
import { safeSegment } from "../../plan/run-key.ts";
import { storageError, writeFileAtomic } from "../atomic-file.ts";
import { toJsonText } from "../json-text.ts";
import { fileNames } from "../layout.ts";
import type { ExperimentResult } from "./experiment-schema.ts";

/** What is written of an experiment. */
export interface ExperimentFiles {
  readonly result: ExperimentResult;
  /** `experiment.md` */
  readonly markdown: string;
  /** `variant.md` of each variant, in the order of the result's variants. */
  readonly variants: readonly { readonly variantId: string; readonly markdown: string }[];
}

/**
 * Writes `experiment.md` and `experiment.json`, and `variant.md` and `variant.json` into each variant's directory. Never throws: `run.json`
 * has the verdict. Gives what could not be written. Nothing for a run without an experiment.
 */
export async function writeExperimentFiles(runDir: string, files: ExperimentFiles | undefined): Promise<string[]> {
  if (files === undefined) return [];
  const { result, markdown, variants } = files;
  const wanted: readonly (readonly [path: string, text: string])[] = [
    [fileNames.experimentMarkdown, markdown],
    [fileNames.experiment, toJsonText(result, 2)],
    ...variants.flatMap(({ variantId, markdown: page }) => {
      const directory = variantDir(variantId);
      return [
        [`${directory}/${fileNames.variantMarkdown}`, page],
        [`${directory}/${fileNames.variant}`, toJsonText(result.variant_aggregates[variantId] ?? null, 2)],
      ] as const;
    }),
  ];
  const problems: string[] = [];
  for (const [path, text] of wanted) {
    try {
      await writeInto(join(runDir, path), text);
    } catch (error) {
      problems.push(errorMessage(error));
    }
  }
  return problems;
}

/** The directory of a variant's tasks, relative to the run directory. The id may be foreign. */
export function variantDir(variantId: string): string {
  return variantId.split("/").map(safeSegment).join("/");
}

async function writeInto(path: string, text: string): Promise<void> {
  const directory = dirname(path);
  await mkdir(directory, { recursive: true }).catch((error: unknown) => {
    throw storageError(error, directory);
  });
  await writeFileAtomic(path, [text]);
}
