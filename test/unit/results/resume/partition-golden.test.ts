import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { copyOfRun, temporaryDirectory } from "../fixtures.ts";
import { divide, planned } from "./planned.ts";

const upstream = join(import.meta.dirname, "../../../fixtures/upstream");

/** A writable copy of a run directory that coder_eval wrote. */
function copyOf(name: string): { readonly path: string } & Disposable {
  const directory = temporaryDirectory();
  cpSync(join(upstream, name, "run"), directory.path, { recursive: true });
  return directory;
}

const waiting = ["agent-1", "agent-2", "agent-3", "agent-4", "check-1", "check-2", "check-3", "check-4"].map((name) =>
  planned(`wait-${name}`),
);

test("0.8.2 stopped by Ctrl-C: it kept four rows, two of which were cut short; those run again here", async () => {
  using run = copyOf("interrupted");
  const { decisions, setAside } = await divide(run.path, waiting);
  assert.deepEqual(decisions, ["keep", "missing", "interrupted*", "missing", "keep", "missing", "missing", "interrupted*"]);
  assert.deepEqual(setAside, []);
});

test("0.12.16 stopped by Ctrl-C: the same trace, the same decision", async () => {
  using run = copyOf("interrupted-0.12.16");
  const { decisions } = await divide(run.path, waiting);
  assert.deepEqual(decisions, ["interrupted*", "missing", "keep", "interrupted*", "keep", "missing", "missing", "missing"]);
});

test("0.8.2 killed by a signal: as it does, rows that left but a log run again", async () => {
  using run = copyOf("terminated");
  const { decisions } = await divide(run.path, waiting);
  assert.deepEqual(decisions, ["interrupted", "missing", "missing", "missing", "keep", "interrupted", "missing", "keep"]);
});

test("rows that 0.12.16 ran and did not grade run again: nothing grades them in their place here", async () => {
  using run = copyOf("execute-0.12.16");
  const { decisions, kept } = await divide(
    run.path,
    ["template-copy", "prepared-files", "scripted-greeting"].map((id) => planned(id)),
  );
  assert.deepEqual(decisions, ["not graded*", "not graded*", "not graded*"]);
  assert.deepEqual(kept, []);
});

test("a finished run of coder_eval: it would keep all of it, and retries are ours", async () => {
  using run = copyOf("drift");
  const rows = ["low-score", "prepared-files", "setup-fails", "token-budget"].map((id) => planned(id));
  assert.deepEqual((await divide(run.path, rows)).decisions, ["keep", "keep", "keep", "keep"]);
  assert.deepEqual((await divide(run.path, rows, { retry: "errors" })).decisions, ["error*", "keep", "error*", "keep"]);
  assert.deepEqual((await divide(run.path, rows, { retry: "failed" })).decisions, ["error*", "keep", "error*", "failed*"]);
  assert.deepEqual((await divide(run.path, rows, { isStale: () => true })).decisions, ["drift", "drift", "drift", "drift"]);
});

test("a damaged run: as coder_eval does, what cannot be read at its place runs again; all that is not used is told", async () => {
  using run = copyOfRun("damaged");
  const ids = ["passes", "prepared-files", "scripted-greeting", "low-score", "setup-fails", "zero-weight-fails"];
  const { decisions, setAside, warnings } = await divide(
    run.path,
    ids.map((id) => planned(id)),
  );
  assert.deepEqual(decisions, ["keep", "keep", "keep", "unreadable", "unreadable", "unreadable"]);
  assert.deepEqual(warnings, ["nested/shard-2 is a run of its own and was left out"]);
  assert.deepEqual(
    setAside.map((line) => line.replace(/(not valid JSON: ).*?( ->|$)/, "$1…$2")),
    [
      "default/empty-task/00/task.json: not part of the plan, and it cannot be read: the file is empty",
      "default/extra/03/task.json: not part of the plan",
      "default/list-task/00/task.json: not part of the plan, and it cannot be read: expected an object, found a list",
      'default/low-score/00/task.json: final_status "SOMETHING_NEW" is unknown -> default/low-score/00/task.json.unreadable',
      "default/odd/7/task.json: not part of the plan",
      "default/odd/x/task.json: not part of the plan",
      "default/passes-copy/00/task.json: the same row stands in default/passes/00/task.json",
      "default/setup-fails/00/task.json: final_status is missing -> default/setup-fails/00/task.json.unreadable",
      "default/zero-weight-fails/00/task.json: not valid JSON: … -> default/zero-weight-fails/00/task.json.unreadable",
    ],
  );
});
