import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { AgentEvent, CallUsage } from "../../../../src/agents/agent-event.ts";
import { conversationBlock, readableLine } from "../../../../src/agents/telemetry/conversation-log.ts";
import { createTelemetry } from "../../../../src/agents/telemetry/telemetry.ts";
import { type TurnRecord, turnRecordSchema } from "../../../../src/results/turn-record.ts";
import { visibleText } from "../../../../src/untrusted/characters.ts";

const startedAt = new Date("2026-03-01T10:00:00Z");
const endedAt = new Date("2026-03-01T11:00:00Z");

const tokens = fc.oneof(fc.nat(100_000), fc.constantFrom(0, -5, Number.NaN, Number.POSITIVE_INFINITY, 1.5));
const usage: fc.Arbitrary<CallUsage> = fc.record({
  uncachedInput: tokens,
  cacheCreation: tokens,
  cacheRead: tokens,
  output: tokens,
  reasoning: fc.option(tokens),
});
const id = fc.constantFrom("a", "b", "c", "d");
const maybeId = fc.option(id, { nil: undefined });
const at = fc.option(
  fc.oneof(fc.date({ min: startedAt, max: endedAt }), fc.constantFrom(new Date(Number.NaN), new Date(0), new Date(8.64e15))),
  { nil: undefined },
);
const cost = fc.option(fc.constantFrom(0, 0.5, Number.NaN, -1), { nil: undefined });
const model = fc.option(fc.constantFrom("m1", "m2"), { nil: undefined });
const words = fc.string({ unit: "binary", maxLength: 40 });

const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ kind: fc.constant("session" as const), model, at }),
  fc.record({
    kind: fc.constantFrom("text" as const, "thinking" as const),
    text: words,
    messageId: maybeId,
    parentToolCallId: maybeId,
    at,
  }),
  fc.record({
    kind: fc.constant("tool call" as const),
    id,
    tool: fc.constantFrom("Bash", "Write"),
    nativeTool: words,
    parameters: fc.dictionary(words, fc.jsonValue()),
    messageId: maybeId,
    at,
  }),
  fc.record({
    kind: fc.constant("tool result" as const),
    id,
    status: fc.constantFrom("success" as const, "error" as const, "unknown" as const),
    text: fc.oneof(words, fc.json()),
    durationMs: fc.option(fc.constantFrom(0, 12, Number.NaN, -4), { nil: undefined }),
    at,
  }),
  fc.record({
    kind: fc.constant("model call" as const),
    messageId: maybeId,
    model,
    usage: fc.option(usage, { nil: undefined }),
    costUsd: cost,
    parentToolCallId: maybeId,
    at,
  }),
  fc.record({ kind: fc.constant("retry" as const), message: words, attempt: fc.option(fc.nat(9), { nil: undefined }), at }),
  fc.record({ kind: fc.constant("error" as const), message: words, final: fc.boolean(), at }),
  fc.record({
    kind: fc.constant("end" as const),
    isError: fc.boolean(),
    subtype: words,
    usage: fc.option(usage, { nil: undefined }),
    costUsd: cost,
    models: fc.option(fc.array(fc.record({ model: fc.constantFrom("m1", "m2"), usage, costUsd: cost })), { nil: undefined }),
    at,
  }),
  fc.record({ kind: fc.constant("unknown" as const), line: words }),
);

function turnOf(events: readonly AgentEvent[]): TurnRecord {
  const telemetry = createTelemetry({ prompt: "p", startedAt, priceOf: (name, { output }) => (name === "m1" ? output / 1e6 : null) });
  for (const [index, each] of events.entries()) telemetry.push(each, new Date(startedAt.getTime() + index * 100));
  return telemetry.finish({ endedAt, durationSeconds: 3600, crashReason: null, maxTurnsExhausted: false });
}

const buckets = [
  ["input_tokens", "uncached_input_tokens"],
  ["output_tokens", "output_tokens"],
  ["cache_creation_tokens", "cache_creation_input_tokens"],
  ["cache_read_tokens", "cache_read_input_tokens"],
] as const;

test("the tokens of the messages add up to those of the turn, bucket by bucket", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const turn = turnOf(events);
      for (const [ofMessage, ofTurn] of buckets) {
        const sum = turn.messages.reduce((total, message) => total + Number(message[ofMessage]), 0);
        assert.equal(sum, turn.token_usage?.[ofTurn] ?? 0, ofMessage);
      }
    }),
    { numRuns: 300 },
  );
});

test("whatever the events are, the record holds no NaN, reads back as it is, and its messages of the agent hold no negative count", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const turn = turnOf(events);
      const written: unknown = JSON.parse(
        JSON.stringify(turn, (_, value: unknown) => {
          assert.ok(typeof value !== "number" || Number.isFinite(value));
          return value;
        }),
      );
      assert.deepEqual(turnRecordSchema.parse(written), written);
      for (const message of turn.messages) {
        if (message.role === "assistant") for (const [key] of buckets) assert.ok(Number(message[key]) >= 0, key);
      }
      for (const { duration_ms: ms } of turn.commands) assert.ok(ms === null || ms > 0);
    }),
    { numRuns: 300 },
  );
});

test("after any beginning of the events there is a record, and its commands are the calls in their order", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 20 }), (events) => {
      for (let length = 0; length <= events.length; length += 1) {
        const part = events.slice(0, length);
        const calls = part.flatMap((each) => (each.kind === "tool call" ? [each.id] : []));
        const { commands } = turnOf(part);
        assert.deepEqual(
          commands.map((command) => command.tool_id),
          calls,
        );
        assert.deepEqual(
          commands.map((command) => command.sequence_number),
          calls.map((_, index) => index),
        );
      }
    }),
    { numRuns: 100 },
  );
});

test("what is seen while a turn goes on is what its record tells in the end", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      const telemetry = createTelemetry({ prompt: "p", startedAt, priceOf: () => null });
      for (const each of events) telemetry.push(each, startedAt);
      const live = telemetry.live();
      const turn = telemetry.finish({ endedAt, durationSeconds: 1, crashReason: null, maxTurnsExhausted: false });
      assert.deepEqual(
        live.toolCalls.map(({ tool_name, result_status }) => [tool_name, result_status]),
        turn.commands.map(({ tool_name, result_status }) => [tool_name, result_status]),
      );
      assert.deepEqual(live.usage?.output, turn.token_usage?.output_tokens);
    }),
  );
});

test("what is told of an event is text that can be shown: one line, or lines of which none passes for a heading", () => {
  fc.assert(
    fc.property(event, (each) => {
      const line = readableLine(each);
      if (line !== undefined) assert.ok(!/[\r\n]/.test(line) && visibleText(line) === line, line);
      const block = conversationBlock(each);
      if (block === undefined) return;
      assert.match(block, /\n$/);
      assert.equal(visibleText(block), block);
      if (each.kind === "text") assert.doesNotMatch(block, /^===/m);
    }),
    { numRuns: 300 },
  );
});
