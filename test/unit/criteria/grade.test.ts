import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { gradeTask, verdictOf, weightedScore } from "../../../src/criteria/grade.ts";
import { executedTypes } from "../../../src/criteria/registry.ts";
import { EnvironmentError, InternalError, SandboxLostError } from "../../../src/errors.ts";
import { criterionResultSchema } from "../../../src/results/criterion-result.ts";
import { exited } from "../../fakes/memory-sandbox.ts";
import { contextOf, criterion } from "./check.ts";

const exists = (description: string, more = {}) => criterion({ type: "file_exists", description, path: "a", ...more });
const command = (text: string) => criterion({ type: "run_command", description: text, command: text });

test("each criterion gets one result in its place, also when checkers throw", async () => {
  const criteria = [
    exists("one"),
    criterion({ type: "file_contains", description: "two", path: "dir", includes: [] }),
    criterion({ type: "llm_judge", description: "three", prompt: "p" }),
    command("four"),
    exists("five"),
  ];
  const exec = () => Promise.reject(new TypeError("boom"));
  const results = await gradeTask(criteria, contextOf({ files: { a: "", "dir/b": "" }, exec }));
  assert.deepEqual(
    results.map(({ description, score, error }) => [description, score, error]),
    [
      ["one", 1, null],
      ["two", 0, "IsADirectoryError: [Errno 21] Is a directory: '/work/dir'"],
      ["three", 0, "No checker registered for criterion type 'llm_judge'"],
      ["four", 0, "TypeError: boom"],
      ["five", 1, null],
    ],
  );
  assert.equal(results[3]?.details, "Error during check: TypeError: boom");
});

test("a result has the keys of task.json in their order, and reads back unchanged", async () => {
  const label = { type: "classification_match", description: "l", path: "a", expected_label: "x", allowed_labels: ["x"] };
  const [plain, classified] = await gradeTask([exists("e"), criterion(label)], contextOf({ files: { a: "x" } }));
  const keys = [
    "result_kind",
    "criterion_type",
    "description",
    "score",
    "details",
    "error",
    "evaluation_status",
    "pass_threshold",
    "gating",
  ];
  assert.deepEqual(Object.keys(plain ?? {}), keys);
  assert.deepEqual(Object.keys(classified ?? {}), [...keys, "observed_label", "expected_label"]);
  assert.deepEqual(criterionResultSchema.parse(classified), classified);
});

test("a lost sandbox, a broken machine, a bug of ours and an abort are no results", async () => {
  for (const error of [new SandboxLostError("gone"), new EnvironmentError("disk", "full"), new InternalError("bug")]) {
    const exec = () => Promise.reject(error);
    await assert.rejects(gradeTask([command("c")], contextOf({ exec })), error);
  }
  const stop = new AbortController();
  const exec = () => {
    stop.abort(new Error("stopped"));
    return Promise.reject(new Error("the command was killed"));
  };
  await assert.rejects(gradeTask([command("c"), exists("never")], contextOf({ exec }, { signal: stop.signal })), { message: "stopped" });
  await assert.rejects(gradeTask([exists("never")], contextOf({}, { signal: stop.signal })), { message: "stopped" });
});

test("a criterion that times out fails alone", async () => {
  const exec = ({ command: line }: { command: unknown }) =>
    JSON.stringify(line).includes("slow")
      ? ({ kind: "timed out", afterMs: 1, durationMs: 1, output: { stdout: "", stderr: "", droppedBytes: 0 } } as const)
      : exited(0);
  const results = await gradeTask([command("slow"), command("fast")], contextOf({ exec }));
  assert.deepEqual(
    results.map(({ score }) => score),
    [0, 1],
  );
});

test("weight 0 informs and does not gate, unless nothing else would gate", async () => {
  const mixed = [exists("there"), exists("info", { path: "missing", weight: 0 })];
  const results = await gradeTask(mixed, contextOf({ files: { a: "" } }));
  assert.deepEqual(
    results.map(({ gating }) => gating),
    [true, false],
  );
  assert.equal(verdictOf(results, mixed), true);
  assert.equal(weightedScore(results, mixed), 1);

  const weightless = [exists("there", { weight: 0 }), exists("missing", { path: "missing", weight: 0 })];
  const all = await gradeTask(weightless, contextOf({ files: { a: "" } }));
  assert.deepEqual(
    all.map(({ gating }) => gating),
    [true, true],
  );
  assert.equal(verdictOf(all, weightless), false);
  assert.equal(weightedScore(all, weightless), 0.5);
});

test("the verdict asks each threshold, never the weighted score", async () => {
  const criteria = [exists("heavy", { weight: 1_000 }), exists("light", { path: "missing", weight: 0.001 })];
  const results = await gradeTask(criteria, contextOf({ files: { a: "" } }));
  assert.ok(weightedScore(results, criteria) > 0.99);
  assert.equal(verdictOf(results, criteria), false);
  assert.equal(verdictOf([], []), false);
  assert.equal(verdictOf(results.slice(0, 1), criteria), false);
  assert.throws(() => weightedScore(results.slice(0, 1), criteria), InternalError);
});

test("a weighted score lies between the lowest and the highest score, for any weights", () => {
  const row = fc.record({
    score: fc.double({ min: 0, max: 1, noNaN: true }),
    weight: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), (rows) => {
      const score = weightedScore(rows, rows);
      const scores = rows.map((one) => one.score);
      assert.ok(score >= Math.min(...scores) - 1e-9 && score <= Math.max(...scores) + 1e-9, String(score));
      assert.ok(score >= 0 && score <= 1);
    }),
  );
});

test("the executed types are those that need no judge and no reference", () => {
  assert.deepEqual([...executedTypes].sort(), [
    "classification_match",
    "cli_called",
    "command_executed",
    "commands_efficiency",
    "file_check",
    "file_contains",
    "file_exists",
    "file_matches_regex",
    "json_check",
    "run_command",
    "skill_triggered",
  ]);
});
