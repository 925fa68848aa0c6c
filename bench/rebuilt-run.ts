import type { BenchOptions, Figure } from "./figure.ts";
import { measureOfFiles } from "./file-measure.ts";

/** Figure e: a run rebuilt from its `task.json` files, in a process of its own so that its memory is its own. */
export async function rebuiltRun({ quick }: BenchOptions): Promise<Figure> {
  const { files, megabytes, floorMs, oursMs, ratio, rssMegabytes } = await measureOfFiles("rebuild.ts", quick ? 500 : 10_000);
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
