import { lstatSync, type Stats } from "node:fs";

/** What stands at a path, links not followed; undefined for nothing, and where nobody may look. */
export function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
