import type { BenchOptions, Figure } from "./figure.ts";
import { measureOfFiles } from "./file-measure.ts";

/** Figure g: a finished run resumed, in a process of its own so that its memory is its own. */
export async function resumedRun({ quick }: BenchOptions): Promise<Figure> {
  const { files, megabytes, floorMs, oursMs, ratio, rssMegabytes } = await measureOfFiles("resume.ts", quick ? 500 : 10_000);
  return {
    what: `run --resume of ${files.toLocaleString("en")} finished rows (${megabytes.toFixed(0)} MB)`,
    unit: "s",
    value: oursMs / 1000,
    floor: { what: "readFileSync and JSON.parse", value: floorMs / 1000 },
    ratio,
    notes: [`best of the rounds; the process grew by ${rssMegabytes.toFixed(0)} MB`],
  };
}
