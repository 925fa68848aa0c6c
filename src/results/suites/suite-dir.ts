import { safeSegment } from "../../plan/run-key.ts";

/** Where `suite.json` lies, relative to the run directory: beside the directories of the suite's rows (formats.md 4). Both ids may be foreign. */
export function suiteDir(variantId: string, suiteId: string): string {
  return [...variantId.split("/"), ...suiteId.split("/")].map(safeSegment).join("/");
}
