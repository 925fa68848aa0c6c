import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import type { AgentEvent, CallUsage } from "../../../../src/agents/agent-event.ts";
import { createTelemetry } from "../../../../src/agents/telemetry/telemetry.ts";
import { commandStatisticsSchema, type Message, type TurnRecord, turnRecordSchema } from "../../../../src/results/turn-record.ts";
import { sumTurns } from "../../../../src/run/sum-turns.ts";

// What coder_eval recorded of Claude Code against a scripted model: the same stream has to give the same record.

const recordedSchema = z.object({
  turn: turnRecordSchema,
  sums: z.looseObject({ command_stats: commandStatisticsSchema, expected_commands: z.number().nullable() }),
});
const assistantSchema = z.looseObject({
  content_blocks: z.array(z.looseObject({ block_type: z.string(), text: z.string().nullable(), tool_use_id: z.string().nullable() })),
  completed_at: z.string(),
  message_id: z.string(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
});
const recorded = z
  .record(z.string(), recordedSchema)
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, "../../../fixtures/agents/coder-eval-turns.json"), "utf8")));

/** The stream that made the record. */
function eventsOf(turn: TurnRecord): AgentEvent[] {
  const events: AgentEvent[] = [{ kind: "session", model: turn.model_used ?? undefined }];
  const messages = turn.messages.map((message) => assistantSchema.parse(message));
  for (const [index, message] of messages.entries()) {
    const { message_id: messageId, completed_at } = message;
    const at = dateOf(completed_at);
    for (const block of message.content_blocks) {
      const command = turn.commands.find(({ tool_id }) => tool_id === block.tool_use_id);
      if (command === undefined) events.push({ kind: "text", text: block.text ?? "", messageId, at });
      else {
        const { tool_name: tool, tool_id: id, parameters, result_status: status, result_summary } = command;
        events.push({ kind: "tool call", id, tool, nativeTool: tool, parameters, messageId, at });
        const doneAt = dateOf(command.execution_completed_at ?? "");
        if (status === "success" || status === "error")
          events.push({ kind: "tool result", id, status, text: result_summary ?? "", at: doneAt });
      }
    }
    if (messages[index + 1]?.message_id !== messageId) {
      const parts = messages.filter((each) => each.message_id === messageId);
      const sum = (of: (part: (typeof parts)[number]) => number) => parts.reduce((total, part) => total + of(part), 0);
      const usage = usageOf(
        sum((part) => part.input_tokens),
        sum((part) => part.cache_read_tokens),
        sum((part) => part.output_tokens),
      );
      events.push({ kind: "model call", messageId, usage, at });
    }
  }
  const { result_summary: summary, token_usage: tokens, num_turns } = turn;
  if (summary === null) return events;
  return [
    ...events,
    {
      kind: "end",
      isError: summary.is_error,
      subtype: summary.subtype,
      stopReason: summary.stop_reason ?? undefined,
      result: summary.result ?? (summary.is_error ? "Reached maximum number of turns (1)" : undefined),
      turns: num_turns ?? undefined,
      usage: tokens === null ? undefined : usageOf(tokens.uncached_input_tokens, tokens.cache_read_input_tokens, tokens.output_tokens),
      costUsd: tokens?.total_cost_usd ?? undefined,
      maxTurnsReached: turn.max_turns_exhausted || undefined,
    },
  ];
}

/** coder_eval writes microseconds without a zone. */
function dateOf(text: string): Date {
  return new Date(`${text.slice(0, 23)}Z`);
}

function usageOf(uncachedInput: number, cacheRead: number, output: number): CallUsage {
  return { uncachedInput, cacheCreation: 0, cacheRead, output, reasoning: null };
}

/** Without times, which coder_eval measures in microseconds. */
const timeless = (value: unknown): unknown => {
  const timed = /_at$|^timestamp$|_ms$|_seconds$/;
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (timed.test(key) ? undefined : inner)));
};

function recordOf(events: readonly AgentEvent[], turn: TurnRecord): TurnRecord {
  const startedAt = new Date("2026-11-30T11:00:00Z");
  const telemetry = createTelemetry({ prompt: turn.user_input, startedAt, priceOf: () => null });
  const endedAt = new Date("2026-11-30T12:00:00Z");
  for (const event of events) telemetry.push(event, endedAt);
  return telemetry.finish({ endedAt, durationSeconds: 1, crashReason: turn.crash_reason, maxTurnsExhausted: false });
}

for (const [name, { turn, sums }] of Object.entries(recorded)) {
  test(`the record of a stream is the one of coder_eval: ${name}`, () => {
    const made = recordOf(eventsOf(turn), turn);
    assert.deepEqual(timeless(made), timeless(turn));
  });

  test(`the sums over the turns are those of coder_eval: ${name}`, () => {
    const made = sumTurns([turn], sums.expected_commands);
    const { expected_commands: _, ...expected } = sums;
    assert.deepEqual({ ...made }, { ...expected });
  });
}

test("times of messages and commands are those of the stream, to the millisecond", () => {
  const { turn } = recorded["failing command"] ?? assert.fail();
  const made = recordOf(eventsOf(turn), turn);
  for (const [index, command] of made.commands.entries()) {
    const known = turn.commands[index]?.duration_ms ?? Number.NaN;
    assert.ok(Math.abs((command.duration_ms ?? Number.NaN) - known) <= 2, `${command.duration_ms} for ${known}`);
  }
  const completed = (messages: readonly Message[]) => messages.map((message) => String(message.completed_at).slice(0, 23));
  assert.deepEqual(completed(made.messages), completed(turn.messages));
});
