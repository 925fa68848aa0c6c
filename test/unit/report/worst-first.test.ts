import assert from "node:assert/strict";
import test from "node:test";
import { worstFirst } from "../../../src/report/worst-first.ts";
import { rowOf } from "../results/gate-runs.ts";

test("errors come first, then the lowest scores, then what came first; passed and ungraded rows are no misses", () => {
  const rows = [
    rowOf("FAILURE", 0.5, "half"),
    rowOf("SUCCESS", 1, "passed"),
    rowOf("FAILURE", 0.2, "low"),
    rowOf("NOT_GRADED", null, "ungraded"),
    rowOf("ERROR", null, "broken"),
    rowOf("FAILURE", 0.5, "half too"),
    rowOf("BUILD_FAILED", 0, "no image"),
  ];
  assert.deepEqual(
    worstFirst(rows).map((row) => row.task_id),
    ["broken", "no image", "low", "half", "half too"],
  );
});
