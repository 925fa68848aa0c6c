import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { parseTaskResult } from "../../../src/results/read-task-result.ts";
import { serializeTaskResult } from "../../../src/results/serialize-task-result.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";
import { fixtureRuns, sampleResult } from "./fixtures.ts";

function reread(result: EvaluationResult): EvaluationResult {
  const found = parseTaskResult(serializeTaskResult(result));
  return found.kind === "result" ? found.result : assert.fail(found.reason);
}

test("keys stand in the order of 0.12.16, ours last, indented by two blanks", () => {
  const written = JSON.parse(readFileSync(join(fixtureRuns, "mixed-0.12.16/default/passes/00/task.json"), "utf8"));
  const scrambled = Object.fromEntries(Object.entries(sampleResult()).reverse());
  const text = serializeTaskResult({ ...sampleResult(), ...scrambled });
  assert.deepEqual(Object.keys(JSON.parse(text)), [...Object.keys(written), "evalbatch"]);
  assert.match(text, /^\{\n {2}"task_id": "a-task",\n/);
});

test("whatever is written is read back the same", () => {
  const hook = fc.record({
    command: fc.string(),
    exit_code: fc.option(fc.integer(), { nil: null }),
    stdout: fc.string({ unit: "binary" }),
    stderr: fc.string({ unit: "grapheme" }),
    duration_seconds: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }), { nil: null }),
    error: fc.option(fc.string(), { nil: null }),
  });
  const result = fc.record({
    error_message: fc.string(),
    pre_run_results: fc.array(hook),
    environment_info: fc.dictionary(fc.string(), fc.jsonValue()),
  });
  fc.assert(
    fc.property(result, (overrides) => {
      const sample = sampleResult(overrides);
      assert.deepEqual(JSON.parse(JSON.stringify(reread(sample))), JSON.parse(JSON.stringify(sample)));
    }),
  );
});

test("half a surrogate pair, NaN, infinities and huge integers are written as any reader takes them", () => {
  const text = serializeTaskResult(
    sampleResult({
      error_message: "cut \ud83d here, whole \u{1f600}",
      duration_seconds: Number.NaN,
      environment_info: { a: 2n ** 63n, "\udc00": Number.POSITIVE_INFINITY },
    }),
  );
  assert.doesNotMatch(text, /\\ud[89a-f]|NaN|Infinity/);
  const value = JSON.parse(text);
  assert.equal(value.error_message, "cut \ufffd here, whole \u{1f600}");
  assert.equal(value.duration_seconds, null);
  assert.equal(value.environment_info.a, 2 ** 63);
  assert.equal(value.environment_info["\ufffd"], null);
});

test("a text that only looks like a surrogate escape stays as it is", () => {
  assert.equal(reread(sampleResult({ error_message: String.raw`a \ud83d and \\ud83d` })).error_message, String.raw`a \ud83d and \\ud83d`);
});

test("a flood of output is cut per stream, with start and end and a note", () => {
  const stdout = `first\n${"x".repeat(5_000_000)}\nlast`;
  const hook = { command: "c", exit_code: 0, stdout, stderr: "", duration_seconds: 1, error: null };
  const kept = reread(sampleResult({ post_run_results: [hook] })).post_run_results[0]?.stdout ?? "";
  assert.ok(kept.length < 100_100);
  assert.match(kept, /^first\n[\s\S]*characters left out[\s\S]*\nlast$/);
});

test("the tail of a log keeps its end", () => {
  const kept = reread(sampleResult({ error_log_tail: `${"x".repeat(300_000)}\nthe end` })).error_log_tail ?? "";
  assert.ok(kept.length < 200_100);
  assert.ok(kept.endsWith("\nthe end"));
});

test("a result of a thousand floods is still one file of bounded size", () => {
  const hook = { command: "c", exit_code: 0, stdout: "y".repeat(100_000), stderr: "", duration_seconds: 1, error: null };
  const text = serializeTaskResult(sampleResult({ post_run_results: Array.from({ length: 1000 }, () => hook) }));
  assert.ok(text.length < 64 * 1024 * 1024);
  assert.equal(JSON.parse(text).post_run_results.length, 1000);
});
