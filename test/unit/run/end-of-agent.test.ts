import assert from "node:assert/strict";
import test from "node:test";
import { AgentError } from "../../../src/errors.ts";
import { endOfAgent } from "../../../src/run/end-of-agent.ts";
import { toErrorContext } from "../../../src/run/error-context.ts";

const task = { kind: "task", seconds: 60 } as const;
const turn = { kind: "turn", seconds: 30 } as const;
const place = { taskId: "t", component: "orchestrator.iteration_1", agentType: "pi", at: new Date(0) };

test("what was done or stopped is left to the criteria and the limits", () => {
  assert.equal(endOfAgent({ kind: "completed" }, task), undefined);
  assert.equal(endOfAgent({ kind: "stopped", cause: { kind: "max turns" } }, task), undefined);
});

test("the task's time makes a time-out, the turn's time an error that is not tried again", () => {
  assert.deepEqual(endOfAgent({ kind: "timed out", afterMs: 5 }, task), { kind: "task timeout", seconds: 60 });
  const end = endOfAgent({ kind: "timed out", afterMs: 5 }, turn);
  assert.ok(end?.kind === "error" && end.error instanceof AgentError);
  assert.deepEqual([end.error.code, end.error.message, end.agent?.isRetryable], ["agent_timeout", "Agent turn timed out after 30s", false]);
});

test("a crash tells how often it was tried, how long it waited and what was said last", () => {
  const crashed = { kind: "crashed", category: "agent_rate_limit", message: "slow down", stdout: "out", stderr: "" } as const;
  const end = endOfAgent(crashed, task, { attempts: 3, retries: [{ delaySeconds: 60 }, { delaySeconds: 200 }] });
  assert.ok(end?.kind === "error");
  const context = toErrorContext(end.error, { ...place, agent: end.agent });
  const { error_category, attempt_number, is_retryable, retry_delay_seconds, agent_stdout, agent_stderr } = context;
  assert.deepEqual(
    [error_category, attempt_number, is_retryable, retry_delay_seconds, agent_stdout, agent_stderr],
    ["agent_rate_limit", 3, true, 200, "out", null],
  );
});

test("long output is cut to 1000 characters, 40 from the start and 60 from the end of a hundred", () => {
  const agent = { attempts: 1, isRetryable: false, retryDelaySeconds: 0, stderr: undefined };
  const stdout = `${"a".repeat(5000)}${"b".repeat(5000)}`;
  const cut = toErrorContext(new Error("x"), { ...place, agent: { ...agent, stdout } }).agent_stdout ?? "";
  assert.deepEqual([cut.length, cut.indexOf("\n"), cut.lastIndexOf("\n"), cut.at(-1)], [1000, 400, 402, "b"]);
  const whole = "c".repeat(1000);
  assert.equal(toErrorContext(new Error("x"), { ...place, agent: { ...agent, stdout: whole } }).agent_stdout, whole);
  // Half a pair at either edge is no text.
  const smileys = toErrorContext(new Error("x"), { ...place, agent: { ...agent, stdout: `x${"😀".repeat(2000)}` } }).agent_stdout ?? "";
  assert.ok(smileys.isWellFormed());
});
