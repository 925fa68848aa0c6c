import assert from "node:assert/strict";
import test from "node:test";
import type { AgentEvent, CallUsage } from "../../../../src/agents/agent-event.ts";
import type { PriceOf } from "../../../../src/agents/prices/price-of.ts";
import { createTelemetry, type Telemetry } from "../../../../src/agents/telemetry/telemetry.ts";
import type { TurnRecord } from "../../../../src/results/turn-record.ts";

const startedAt = new Date("2026-03-01T10:00:00Z");
const later = (ms: number): Date => new Date(startedAt.getTime() + ms);

const used = (uncachedInput: number, output: number): CallUsage => ({
  uncachedInput,
  cacheCreation: 0,
  cacheRead: 0,
  output,
  reasoning: null,
});
/** 1 USD per output token of `known`. */
const perOutput: PriceOf = (model, { output }) => (model === "known" ? output : null);

function after(events: readonly AgentEvent[], options: { priceOf?: PriceOf; model?: string } = {}): Telemetry {
  const telemetry = createTelemetry({ prompt: "p", startedAt, priceOf: options.priceOf ?? perOutput, model: options.model });
  for (const [index, event] of events.entries()) telemetry.push(event, later((index + 1) * 1000));
  return telemetry;
}

function turnOf(events: readonly AgentEvent[], options?: { priceOf?: PriceOf; model?: string; crashReason?: string }): TurnRecord {
  return after(events, options).finish({
    endedAt: later(60_000),
    durationSeconds: 60,
    crashReason: options?.crashReason ?? null,
    maxTurnsExhausted: false,
  });
}

const said: AgentEvent = { kind: "text", text: "Hello." };
const call = (id: string, parameters: Record<string, unknown> = { command: "ls" }): AgentEvent => {
  return { kind: "tool call", id, tool: "Bash", nativeTool: "bash", parameters };
};
const result = (id: string, text: string, more: { durationMs?: number; status?: "error" } = {}): AgentEvent => {
  return { kind: "tool result", id, status: "success", text, ...more };
};
const end: AgentEvent = { kind: "end", isError: false, subtype: "success" };
const costOf = (turn: TurnRecord) => turn.token_usage?.total_cost_usd;

test("an agent of which nothing was seen has no output, and nothing about it is 0", () => {
  const turn = turnOf([], { crashReason: `r${"e".repeat(300)}` });
  assert.deepEqual([turn.agent_output, turn.token_usage, turn.num_turns, turn.result_summary], ["[No output]", null, null, null]);
  assert.deepEqual([turn.tool_union_ms, turn.harness_startup_ms, turn.harness_teardown_ms], [null, null, null]);
  assert.deepEqual([turn.crashed, turn.crash_reason?.length, turn.crash_reason?.at(-1)], [true, 201, "…"]);
});

test("0 tokens of an agent that answered are tokens that were not told", () => {
  assert.equal(turnOf([said, { kind: "model call", usage: used(0, 0) }, { ...end, usage: used(0, 0), costUsd: 0 }]).token_usage, null);
});

test("a correction of a call replaces it; calls without a name are each a call of their own", () => {
  const live = after([
    { kind: "model call", messageId: "a", model: "known", usage: used(10, 1) },
    { kind: "model call", messageId: "a", usage: used(10, 7) },
    { kind: "model call", messageId: "a" },
    { kind: "model call", model: "known", usage: used(1, 1) },
    { kind: "model call", model: "known", usage: used(1, 1) },
  ]).live();
  assert.deepEqual([live.modelCalls, live.usage?.output, live.usage?.uncachedInput, live.costUsd], [3, 9, 12, 9]);
});

test("calls of sub-agents cost tokens and are no turns of the agent", () => {
  const live = after([{ kind: "model call", model: "known", usage: used(1, 3), parentToolCallId: "task" }]).live();
  assert.deepEqual([live.modelCalls, live.usage?.output, live.costUsd], [0, 3, 3]);
});

test("the agent's own sums win over its calls, and what belongs to no message is told apart", () => {
  const turn = turnOf([said, { kind: "model call", usage: used(10, 9) }, { ...end, usage: used(8, 20) }]);
  assert.deepEqual([turn.token_usage?.uncached_input_tokens, turn.token_usage?.output_tokens], [8, 20]);
  assert.deepEqual(turn.messages.at(-1), {
    role: "reconciliation",
    input_tokens: -2,
    output_tokens: 11,
    cache_creation_tokens: 0,
    cache_read_tokens: 0,
    note: "tokens of the turn that belong to no message",
  });
});

test("cost: the agent's own figure, else each model's or call's price, else nothing", () => {
  const priced: AgentEvent = { kind: "model call", model: "known", usage: used(1, 2) };
  const unpriced: AgentEvent = { kind: "model call", model: "other", usage: used(1, 2) };
  assert.equal(costOf(turnOf([priced, { ...end, costUsd: 0.5 }])), 0.5);
  assert.equal(costOf(turnOf([priced, { ...end, usage: used(1, 2) }])), 2);
  assert.equal(costOf(turnOf([priced, unpriced])), null);
  assert.equal(costOf(turnOf([{ ...unpriced, costUsd: 4 }, priced])), 6);
  assert.equal(costOf(turnOf([{ ...priced, costUsd: 0 }])), 2);
  const shares = [
    { model: "known", usage: used(1, 3) },
    { model: "other", usage: used(1, 1), costUsd: 4 },
  ];
  assert.equal(costOf(turnOf([{ ...end, models: shares }])), 7);
  assert.equal(costOf(turnOf([{ ...end, models: [...shares, { model: "other", usage: used(1, 1) }] }])), null);
});

test("tokens beyond the calls are priced by the model, where there was one", () => {
  const priced: AgentEvent = { kind: "model call", model: "known", usage: used(1, 2) };
  assert.equal(costOf(turnOf([priced, { ...end, usage: used(1, 5) }])), 5);
  assert.equal(costOf(turnOf([priced, { kind: "model call", model: "m", usage: used(1, 1) }, { ...end, usage: used(9, 9) }])), null);
});

test("where the stream names no model, the one that was asked for is it", () => {
  const turn = turnOf([{ kind: "model call", usage: used(1, 2) }], { model: "known" });
  assert.deepEqual([turn.model_used, costOf(turn)], ["known", 2]);
  assert.equal(turnOf([{ kind: "session", model: "told" }], { model: "known" }).model_used, "told");
});

test("a sum over many calls is priced by what each of them may have been: long prompts cost more", () => {
  const tiered: PriceOf = (_, { uncachedInput }) => (uncachedInput > 200_000 ? 2 : 1) * uncachedInput;
  const turn = turnOf([{ ...end, turns: 10, usage: used(500_000, 0) }], { model: "m", priceOf: tiered });
  assert.equal(costOf(turn), 500_000);
  assert.equal(costOf(turnOf([{ ...end, turns: 1, usage: used(500_000, 0) }], { model: "m", priceOf: tiered })), 1_000_000);
});

test("a tool is timed by its own figure, else from call to result; in one moment it was not timed", () => {
  const telemetry = createTelemetry({ prompt: "p", startedAt, priceOf: perOutput });
  telemetry.push(call("a"), later(1000));
  telemetry.push(call("b"), later(2000));
  telemetry.push(result("a", "x"), later(4000));
  telemetry.push(result("b", "x", { durationMs: 500 }), later(4500));
  telemetry.push(call("c"), later(5000));
  telemetry.push(result("c", "x"), later(5000));
  telemetry.push(call("d"), later(6000));
  const turn = telemetry.finish({ endedAt: later(7000), durationSeconds: 7, crashReason: null, maxTurnsExhausted: false });
  assert.deepEqual(
    turn.commands.map((command) => command.duration_ms),
    [3000, 500, null, null],
  );
  assert.equal(turn.tool_union_ms, 3500);
  assert.deepEqual([turn.commands[3]?.result_status, turn.commands[3]?.execution_completed_at], [null, null]);
});

test("calls of the same id each get their own result, oldest first, and a result without a call is left out", () => {
  const turn = turnOf([result("x", "stray"), call("x"), call("x"), result("x", "first"), result("x", "second", { status: "error" })]);
  assert.deepEqual(
    turn.commands.map(({ result_summary, result_status, error_message }) => [result_summary, result_status, error_message]),
    [
      ["first", "success", null],
      ["second", "error", "second"],
    ],
  );
});

test("a clock of the stream that cannot be right is not believed", () => {
  const turn = turnOf([
    { ...said, at: new Date("2001-01-01") },
    { ...call("a"), at: new Date("2099-01-01") },
    { ...result("a", ""), at: new Date(Number.NaN) },
  ]);
  assert.deepEqual(
    turn.messages.map((message) => message.completed_at),
    [later(1000).toISOString(), later(2000).toISOString()],
  );
  assert.equal(turn.commands[0]?.duration_ms, 1000);
});

test("JSON that starts a line near the beginning of a result is kept as data", () => {
  const dataOf = (text: string): unknown => turnOf([call("a"), result("a", text)]).commands[0]?.result_data;
  assert.deepEqual(dataOf('{"a": [1, "}"]} and more'), { a: [1, "}"] });
  assert.deepEqual(dataOf("note\n  [1, 2]\n"), [1, 2]);
  assert.deepEqual(dataOf('[INFO] started\n{"ok": true}'), { ok: true });
  assert.equal(dataOf(`${" x".repeat(150)}\n{"late": true}`), null);
  assert.equal(dataOf('said {"a": 1}'), null);
  assert.equal(dataOf('{"cut": "in the mid'), null);
  assert.equal(dataOf(`${"[".repeat(50_000)}${"]".repeat(50_000)}`), null);
});

test("parameters that are nested beyond every writer are told as such, and the rest is kept", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level += 1) deep = [deep];
  const turn = turnOf([call("a", { deep, command: "ls" })]);
  assert.deepEqual(turn.commands[0]?.parameters, { deep: "(nested too deeply)", command: "ls" });
});

test("long results keep beginning and end, and count with their whole length", () => {
  const text = `start\n${"line\n".repeat(200_000)}end`;
  const command = turnOf([call("a"), result("a", text)]).commands[0];
  assert.match(command?.result_summary ?? "", /^start\n[\s\S]*…\n[\s\S]*end$/);
  assert.ok((command?.result_summary ?? "").length <= 200_000);
  assert.equal(command?.result_tokens, Math.ceil(text.length / 4));
});

test("an agent that never stops talking does not fill the record", () => {
  const long = "x".repeat(150_000);
  const turn = turnOf(Array.from({ length: 400 }, () => ({ ...said, text: long })));
  assert.ok(JSON.stringify(turn).length < 25_000_000);
  assert.equal(turn.assistant_turn_count, 400);
});

test("the last words are the reply of an agent that tells none at its end, unless it went on working", () => {
  assert.equal(turnOf([said, end]).result_summary?.result, "Hello.");
  assert.equal(turnOf([said, call("a"), end]).result_summary?.result, null);
  assert.equal(turnOf([said, { ...end, isError: true }]).result_summary?.result, null);
  assert.equal(turnOf([{ ...said, parentToolCallId: "t" }, end]).result_summary?.result, null);
});

test("what went wrong with the service is listed, with what the agent did about it", () => {
  const turn = turnOf([
    { kind: "retry", attempt: 1, status: 429, delayMs: 1500, message: "slow down" },
    { kind: "error", status: 500, message: "gone", final: true },
  ]);
  assert.deepEqual(
    turn.provider_errors.map((error) => [error?.kind, error?.http_status, error?.will_retry, error?.details, error?.message]),
    [
      ["retry", 429, true, "attempt 1, after 1500 ms", "slow down"],
      ["final", 500, false, null, "gone"],
    ],
  );
});
