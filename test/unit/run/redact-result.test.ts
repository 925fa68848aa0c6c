import assert from "node:assert/strict";
import test from "node:test";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { serializeTaskResult } from "../../../src/results/serialize-task-result.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";
import { redactResult } from "../../../src/run/redact-result.ts";
import { isOwnWord } from "../../../src/untrusted/own-words.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";
import { sampleResult } from "../results/fixtures.ts";

const turn = emptyTurn("do it", new Date(0));
const criterion = { result_kind: "basic", criterion_type: "output_check", description: "d", score: 0, details: null, error: null };

function rich(text: string): EvaluationResult {
  return sampleResult({
    task_id: "deploy-production",
    final_status: "FAILURE",
    error_message: text,
    error_log_tail: `a\n${text}\n`,
    iterations: [{ ...turn, agent_output: text, result_summary: { is_error: false, subtype: "", stop_reason: null, result: text } }],
    success_criteria_results: [{ ...criterion, details: text, evaluation_status: "evaluated", pass_threshold: 0.9, gating: true }],
    environment_info: { [`key ${text}`]: { nested: [text] } },
  });
}

function redacted(secret: string, result: EvaluationResult): { readonly result: EvaluationResult; readonly count: number } {
  const redactor = createRedactor([secret]);
  return { result: redactResult(result, (text) => redactor.redact(text)), count: redactor.total };
}

test("a secret stands nowhere in a redacted result, not even in a key", () => {
  for (const secret of ['p@ss "w/rd"', "line one 1\nline two 2", "sécret\\tab\tx"]) {
    const { result, count } = redacted(secret, rich(`<${secret}>`));
    const text = serializeTaskResult(result);
    assert.equal(text.includes(JSON.stringify(secret).slice(1, -1)), false, text);
    assert.equal(count, 7, text);
    assert.equal(result.iterations[0]?.agent_output, "<***>");
    assert.deepEqual(result.environment_info, { "key <***>": { nested: ["<***>"] } });
  }
});

test("a result without a secret comes back as it is", () => {
  const result = rich("nothing");
  assert.equal(redacted("another-secret", result).result, result);
});

test("a secret that is a common word costs neither the result's name and status nor the fields that are called like it", () => {
  for (const secret of ["output", "production", "FAILURE", "evaluated", "status", "default", "result"]) {
    const { result } = redacted(secret, rich(`the ${secret} is hidden`));
    // What every result says anyway is hidden nowhere (see own-words.ts).
    const text = `the ${isOwnWord(secret) ? secret : "***"} is hidden`;
    assert.deepEqual(
      [result.task_id, result.variant_id, result.final_status, result.success_criteria_results[0]?.criterion_type],
      ["deploy-production", "default", "FAILURE", "output_check"],
    );
    assert.equal(result.success_criteria_results[0]?.evaluation_status, "evaluated");
    assert.equal(result.iterations[0]?.agent_output, text);
    assert.equal(result.error_message, text);
  }
});

test("a secret at the place where a long text is cut is hidden before the cut", () => {
  const secret = "s3cret-value-0123456789";
  const { result } = redacted(secret, sampleResult({ error_message: `${"x".repeat(99_990)}${secret}${"y".repeat(150_000)}` }));
  assert.equal(/s3cret|0123456789/.test(serializeTaskResult(result)), false);
});
