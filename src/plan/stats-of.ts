import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";

/** What is at a path, links followed; undefined where nothing can be found. A path with a zero byte throws, too: nothing can be there. */
export async function statsOf(path: string): Promise<Stats | undefined> {
  return await stat(path).catch(() => undefined);
}
