import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { beginAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { put, temporaryDirectory } from "../fixtures.ts";
import { attemptFacts, divide, planned, putResult } from "./planned.ts";

test("a result at the place of another row is no result of that place", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "b", {}, "default/a/00");
  putResult(root.path, "c", { variant_id: "other" });
  putResult(root.path, "d", { evalbatch: attemptFacts({ replicate_index: 1 }) });
  const rows = ["a", "b", "c", "d"].map((id) => planned(id));
  const { decisions, setAside, kept } = await divide(root.path, rows);
  assert.deepEqual(decisions, ["missing", "missing", "missing", "missing"]);
  assert.deepEqual(kept, []);
  assert.deepEqual(setAside, [
    "default/a/00/task.json: it is the result of another row: default/b -> default/a/00/task.json.misplaced",
    "default/c/00/task.json: it is the result of another row: other/c -> default/c/00/task.json.misplaced",
    "default/d/00/task.json: it is the result of another row: default/d, replicate 1 -> default/d/00/task.json.misplaced",
  ]);
  assert.equal((await beginAttempt(join(root.path, "default/a/00"), new Date(0))).attempt, 1);
});

test("a result elsewhere is used for a planned row that has none, and stays where it is", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "suite/row 1", {}, "default/suite_row-1/00");
  putResult(root.path, "r", {}, "other/place/03");
  const { decisions, setAside, kept } = await divide(root.path, [planned("suite/row 1"), planned("r", 3), planned("r", 0)]);
  assert.deepEqual(decisions, ["keep", "keep", "missing"]);
  assert.deepEqual(kept, ["0:suite/row 1", "1:r"]);
  assert.deepEqual(setAside, []);
});

test("of several results of one row the newest counts and the others are listed", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a", { evalbatch: attemptFacts({ attempt: 1 }), duration_seconds: 1 });
  putResult(root.path, "a", { evalbatch: attemptFacts({ attempt: 2 }), final_status: "FAILURE" }, "default/a-copy/00");
  putResult(root.path, "b");
  putResult(root.path, "b", {}, "default/b-copy/00");
  const rows = [planned("a"), planned("b")];
  const { decisions, setAside } = await divide(root.path, rows);
  assert.deepEqual(decisions, ["keep", "keep"]);
  assert.deepEqual(setAside, [
    "default/a/00/task.json: the same row stands in default/a-copy/00/task.json",
    "default/b-copy/00/task.json: the same row stands in default/b/00/task.json",
  ]);
  // Before it runs again it takes the place of its row, so that the next attempt goes on counting from it.
  const again = await divide(root.path, rows, { retry: "failed" });
  assert.deepEqual(again.decisions, ["failed*", "keep"]);
  assert.deepEqual(again.setAside, [
    "default/a/00/task.json: the same row stands in default/a-copy/00/task.json -> default/a/00/task.json.unused",
    "default/b-copy/00/task.json: the same row stands in default/b/00/task.json",
  ]);
  const { attempt, earlier } = await beginAttempt(join(root.path, "default/a/00"), new Date(0));
  assert.deepEqual([attempt, earlier.map(({ status }) => status)], [3, ["FAILURE"]]);
});

test("results that the plan does not have are listed and left alone, readable or not", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "gone");
  put(root.path, "default/broken/00/task.json", "{");
  put(root.path, "task.json", "[]");
  mkdirSync(join(root.path, "default/linked/00"), { recursive: true });
  symlinkSync(join(root.path, "default/a/00/task.json"), join(root.path, "default/linked/00/task.json"));
  const { decisions, setAside } = await divide(root.path, [planned("a")]);
  assert.deepEqual(decisions, ["keep"]);
  assert.equal(setAside.length, 4);
  assert.match(setAside[0] ?? "", /^default\/broken\/00\/task\.json: not part of the plan, and it cannot be read: not valid JSON/);
  assert.deepEqual(setAside.slice(1), [
    "default/gone/00/task.json: not part of the plan",
    "default/linked/00/task.json: not part of the plan, and it cannot be read: not a regular file",
    "task.json: not part of the plan, and it cannot be read: expected an object, found a list",
  ]);
  assert.equal(readFileSync(join(root.path, "default/broken/00/task.json"), "utf8"), "{");
});

test("files of agents and runs inside the run directory never count", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "b", {}, "default/a/00/artifacts/a");
  putResult(root.path, "b", {}, "nested/default/b/00");
  put(root.path, "nested/run.json", "{}");
  const { decisions, setAside, warnings } = await divide(root.path, [planned("a"), planned("b")]);
  assert.deepEqual(decisions, ["keep", "missing"]);
  assert.deepEqual(setAside, []);
  assert.deepEqual(warnings, ["nested is a run of its own and was left out"]);
});

test("links, files and other runs where results go are moved out of the way, never followed", async () => {
  using root = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  putResult(elsewhere.path, "a", {}, "a/00");
  put(root.path, "default/keep/00/x", "");
  symlinkSync(join(elsewhere.path, "a"), join(root.path, "default/a"));
  put(root.path, "default/b", "a file");
  putResult(root.path, "t", { variant_id: "v" }, "v/t/00");
  put(root.path, "v/run.json", "{}");
  const { decisions, setAside } = await divide(root.path, [planned("a"), planned("b"), planned("t", 0, "v")]);
  assert.deepEqual(decisions, ["missing", "missing", "missing"]);
  assert.deepEqual(setAside, [
    "default/a: a link, which is not followed -> default/a.unused",
    "default/b: no directory, though results go there -> default/b.unused",
    "v: a run of its own -> v.unused",
  ]);
  for (const [variant, task] of [
    ["default", "a"],
    ["default", "b"],
    ["v", "t"],
  ])
    await beginAttempt(join(root.path, `${variant}/${task}/00`), new Date(0));
  assert.deepEqual(readdirSync(join(elsewhere.path, "a/00")), ["task.json"]);
});

test("a task may be called like a file of ours", async () => {
  using root = temporaryDirectory();
  const ids = ["run.json", "task.json", "attempts.json", "artifacts", "suite/run.json"];
  for (const id of ids) putResult(root.path, id);
  const { decisions, setAside } = await divide(
    root.path,
    ids.map((id) => planned(id)),
  );
  assert.deepEqual(
    decisions,
    ids.map(() => "keep"),
  );
  assert.deepEqual(setAside, []);
});

test("a run is resumed after its directory was moved", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a", {}, "old/default/a/00");
  renameSync(join(root.path, "old"), join(root.path, "new"));
  assert.deepEqual((await divide(join(root.path, "new"), [planned("a")])).decisions, ["keep"]);
});
