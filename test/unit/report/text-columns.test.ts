import assert from "node:assert/strict";
import test from "node:test";
import { renderColumns } from "../../../src/report/text-columns.ts";

test("columns are as wide as their widest cell, and lines have no blanks at their ends", () => {
  assert.deepEqual(
    renderColumns(
      [
        ["TASK", "FILE"],
        ["a", "tasks/a.yaml"],
        ["bcdef", ""],
      ],
      80,
    ),
    ["TASK   FILE", "a      tasks/a.yaml", "bcdef"],
  );
});

test("where the line gets too long, cells are cut in the middle, the spared columns first", () => {
  const [line] = renderColumns([["a-name-of-some-length", "path/of/a/file/that/is/long.yaml"]], 40, [1]);
  assert.equal(line, "a-name-of-some-length  path/of/…ong.yaml");
});

test("one overlong cell does not make every line as long, also where nobody looks at a terminal", () => {
  const lines = renderColumns(
    [
      ["x".repeat(100_000), "end"],
      ["y", "end"],
    ],
    Number.POSITIVE_INFINITY,
  );
  assert.deepEqual(
    lines.map((line) => line.length),
    [305, 305],
  );
});
