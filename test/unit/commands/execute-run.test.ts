import assert from "node:assert/strict";
import test from "node:test";
import { unwindMsOf } from "../../../src/commands/execute-run.ts";
import { hardExitMs } from "../../../src/commands/signals.ts";

test("a stopped run waits less for its tasks the more there is to write, and leaves time for that", () => {
  assert.deepEqual([0, 1000, 20_000, 1_000_000].map(unwindMsOf), [3000, 2900, 1000, 1000]);
  // Measured: 20,000 rows of 3.5 KB take 3 s on two busy CPUs.
  assert.ok(unwindMsOf(20_000) + 3000 < hardExitMs);
});
