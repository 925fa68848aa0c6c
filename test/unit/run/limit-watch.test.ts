import assert from "node:assert/strict";
import test from "node:test";
import type { AgentEvent, CallUsage } from "../../../src/agents/agent-event.ts";
import type { LiveTelemetry } from "../../../src/agents/telemetry/live-telemetry.ts";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { createLimitWatch } from "../../../src/run/limit-watch.ts";
import { runLimits } from "./run-limits.ts";

const ours = { maxTurns: false, maxUsd: false };
const usage = (output: number, uncachedInput = 0): CallUsage => ({
  uncachedInput,
  cacheCreation: 0,
  cacheRead: 0,
  output,
  reasoning: null,
});
const live = (more: Partial<LiveTelemetry> = {}): LiveTelemetry => ({
  modelCalls: 0,
  toolCalls: [],
  usage: undefined,
  costUsd: null,
  ...more,
});
const call = (messageId?: string): AgentEvent => ({ kind: "model call", messageId });
const tool = (messageId?: string): AgentEvent => ({
  kind: "tool call",
  id: "1",
  tool: "Bash",
  nativeTool: "bash",
  parameters: {},
  messageId,
});
const text = (messageId?: string): AgentEvent => ({ kind: "text", text: "x", messageId });

test("stops after the call with which a budget is exceeded", () => {
  const watch = createLimitWatch(runLimits({ max_output_tokens: 100 }), ours);
  assert.equal(watch(call(), live({ modelCalls: 1, usage: usage(100) })), undefined);
  assert.deepEqual(watch(call(), live({ modelCalls: 2, usage: usage(101) })), {
    kind: "budget",
    budget: "tokens",
    message: "output_tokens budget exceeded: 101 > 100 (iteration 1)",
  });
});

test("money is watched once something has a price, unless the agent's own program watches it", () => {
  const limits = runLimits({ max_usd: 1 });
  assert.equal(createLimitWatch(limits, ours)(call(), live({ modelCalls: 1 })), undefined);
  assert.equal(createLimitWatch(limits, ours)(call(), live({ costUsd: 1.5 }))?.kind, "budget");
  assert.equal(createLimitWatch(limits, { maxTurns: false, maxUsd: true })(call(), live({ costUsd: 1.5 })), undefined);
});

test("what earlier attempts used counts for budgets, their calls not for turns", () => {
  const token_usage = {
    uncached_input_tokens: 50,
    output_tokens: 60,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    total_cost_usd: 0.75,
    input_tokens: 50,
  };
  const before = [{ ...emptyTurn("p", new Date(0)), token_usage, num_turns: 9 }];
  const tokens = createLimitWatch(runLimits({ max_total_tokens: 115 }), ours, before);
  assert.equal(tokens(call(), live()), undefined);
  assert.equal(tokens(call(), live({ usage: usage(5, 1) }))?.kind, "budget");
  const money = createLimitWatch(runLimits({ max_usd: 1, max_turns: 3 }), ours, before);
  assert.equal(money(call(), live({ modelCalls: 1, costUsd: 0.25 })), undefined);
  assert.equal(money(call(), live({ modelCalls: 1, costUsd: 0.26 }))?.kind, "budget");
});

test("a last call that only answers is within the limit of turns, one that goes on is not", () => {
  const limits = runLimits({ max_turns: 2 });
  const answers = createLimitWatch(limits, ours);
  for (const [event, modelCalls] of [
    [text("a"), 0],
    [tool("a"), 0],
    [call("a"), 1],
    [text("b"), 1],
    [call("b"), 2],
    [call("b"), 2],
    [text("b"), 2],
    [{ kind: "end", isError: false, subtype: "success" }, 2],
  ] as const) {
    assert.equal(answers(event, live({ modelCalls })), undefined, JSON.stringify(event));
  }
  const maxTurns = { kind: "max turns" };
  for (const event of [text("c"), tool("c"), tool()]) {
    const goesOn = createLimitWatch(limits, ours);
    assert.equal(goesOn(call("a"), live({ modelCalls: 1 })), undefined);
    assert.equal(goesOn(call("b"), live({ modelCalls: 2 })), undefined);
    // Of the second call, told late.
    assert.equal(goesOn(tool("b"), live({ modelCalls: 2 })), undefined);
    assert.deepEqual(goesOn(event, live({ modelCalls: 2 })), maxTurns);
  }
  assert.deepEqual(createLimitWatch(limits, ours)(call(), live({ modelCalls: 3 })), maxTurns);
});

test("turns are left to an agent that counts them itself, and without a limit nothing stops", () => {
  const native = createLimitWatch(runLimits({ max_turns: 2 }), { maxTurns: true, maxUsd: false });
  assert.equal(native(call(), live({ modelCalls: 9 })), undefined);
  const free = createLimitWatch(runLimits({}), ours);
  assert.equal(free(call(), live({ modelCalls: 9999, usage: usage(10 ** 9), costUsd: 10 ** 6 })), undefined);
});
