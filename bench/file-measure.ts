import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const measured = z.looseObject({
  files: z.number(),
  megabytes: z.number(),
  floorMs: z.number(),
  oursMs: z.number(),
  ratio: z.number(),
  rssMegabytes: z.number(),
});

/** Runs a program of this folder, which measures work on so many files against a floor, in a process of its own. */
export async function measureOfFiles(program: string, files: number): Promise<z.infer<typeof measured>> {
  const path = join(import.meta.dirname, program);
  const { stdout } = await promisify(execFile)(process.execPath, [path, String(files)], { maxBuffer: 1e7 });
  return measured.parse(JSON.parse(stdout));
}
