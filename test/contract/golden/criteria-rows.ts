import { readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { criterionSchema } from "../../../src/criteria/criterion-schema.ts";
import { parseJson } from "../../../src/criteria/json/parse.ts";
import type { FileEntry } from "../../../src/sandbox/sandbox.ts";

const fixtures = join(import.meta.dirname, "..", "..", "fixtures", "criteria");

const resultSchema = z.looseObject({
  score: z.number(),
  details: z.string().nullable(),
  error: z.string().nullable(),
  pass_threshold: z.number(),
  observed_label: z.string().optional(),
  expected_label: z.string().optional(),
});

const goldenFileSchema = z.object({
  rows: z.array(z.object({ task: z.string(), index: z.number(), criterion: criterionSchema, passed: z.boolean(), result: resultSchema })),
});

/** One criterion of a real run of coder_eval 0.8.2 and what became of it. */
export type GoldenRow = z.output<typeof goldenFileSchema>["rows"][number];

/** Read as Python reads JSON, since one row compares integers beyond 2^53. */
export function goldenRows(): GoldenRow[] {
  return goldenFileSchema.parse(parseJson(readFileSync(join(fixtures, "golden.json"), "utf8"))).rows;
}

/** The files that the criteria look at. */
export async function materialEntries(): Promise<FileEntry[]> {
  const directory = join(fixtures, "material");
  const entries: FileEntry[] = [{ kind: "directory", path: "sub", mode: 0o755 }];
  for (const name of await readdir(directory)) {
    entries.push({ kind: "file", path: name, mode: 0o644, content: await readFile(join(directory, name)) });
  }
  return entries;
}
