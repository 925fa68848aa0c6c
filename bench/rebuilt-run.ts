import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import type { BenchOptions, Figure } from "./figure.ts";

const measured = z.looseObject({
  files: z.number(),
  megabytes: z.number(),
  floorMs: z.number(),
  oursMs: z.number(),
  ratio: z.number(),
  rssMegabytes: z.number(),
});

/** Figure e: a run rebuilt from its `task.json` files, in a process of its own so that its memory is its own. */
export async function rebuiltRun({ quick }: BenchOptions): Promise<Figure> {
  const program = join(import.meta.dirname, "rebuild.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program, String(quick ? 500 : 10_000)], { maxBuffer: 1e7 });
  const { files, megabytes, floorMs, oursMs, ratio, rssMegabytes } = measured.parse(JSON.parse(stdout));
  return {
    what: `report --rebuild of ${files.toLocaleString("en")} task.json (${megabytes.toFixed(0)} MB)`,
    unit: "s",
    value: oursMs / 1000,
    floor: { what: "readFileSync and JSON.parse", value: floorMs / 1000 },
    ratio,
    goal: { of: "ratio", max: 2 },
    notes: [`best of the rounds; the process grew by ${rssMegabytes.toFixed(0)} MB`],
  };
}
