import assert from "node:assert/strict";
import { isObject } from "../../src/results/tolerant.ts";

/**
 * Everything that coder_eval wrote stands in ours too, with its value; we may say more. `differs` tells of paths, such as
 * `iterations.0.timestamp`, that are another run's business (times, the machine) or a difference that docs/formats.md names.
 */
export function assertLikeUpstream(ours: unknown, theirs: unknown, differs: RegExp, path = ""): void {
  if (path !== "" && differs.test(path)) return;
  if (Array.isArray(theirs)) {
    assert.ok(Array.isArray(ours) && ours.length === theirs.length, `${path}: ${JSON.stringify(ours)}, theirs ${JSON.stringify(theirs)}`);
    for (const [index, item] of theirs.entries()) assertLikeUpstream(ours[index], item, differs, below(path, String(index)));
  } else if (isObject(theirs)) {
    assert.ok(isObject(ours), `${path} is missing`);
    for (const [key, value] of Object.entries(theirs)) assertLikeUpstream(ours[key], value, differs, below(path, key));
  } else if (typeof theirs === "number" && typeof ours === "number") {
    assert.ok(Math.abs(ours - theirs) < 1e-12, `${path}: ${ours}, theirs ${theirs}`);
  } else assert.deepEqual(ours, theirs, path);
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
