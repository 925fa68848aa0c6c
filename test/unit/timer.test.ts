import assert from "node:assert/strict";
import test from "node:test";
import { clampTimer } from "../../src/timer.ts";

test("a wait of any size stays one that a timer keeps", () => {
  assert.deepEqual([0, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY].map(clampTimer), [
    0,
    1.5,
    2 ** 31 - 1,
    2 ** 31 - 1,
    2 ** 31 - 1,
    2 ** 31 - 1,
  ]);
});
