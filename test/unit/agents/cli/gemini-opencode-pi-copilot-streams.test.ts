import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import type { AgentEvent, CallUsage } from "../../../../src/agents/agent-event.ts";
import type { StreamParser } from "../../../../src/agents/cli/cli-agent.ts";
import { copilot } from "../../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../../src/agents/cli/opencode.ts";
import { pi } from "../../../../src/agents/cli/pi.ts";

// `UPDATE_GOLDEN=1` writes the files anew: read the difference before you commit it.
const update = process.env.UPDATE_GOLDEN === "1";
const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const parsers: Readonly<Record<string, () => StreamParser>> = {
  gemini: gemini.createParser,
  opencode: opencode.createParser,
  pi: pi.createParser,
  copilot: copilot.createParser,
};

/** The record of copilot's session and the others' transcripts are no streams. */
const streams = readdirSync(join(fixtures, "streams"))
  .filter((name) => /^(?:gemini|opencode|pi|copilot)\..*jsonl$/.test(name))
  .filter((name) => !/\.(?:transcript|otel|session-shutdown)\.jsonl$/.test(name))
  .sort();

const textOf = (stream: string): string => readFileSync(join(fixtures, "streams", stream), "utf8");
const linesOf = (text: string): string[] => text.split("\n").filter((line) => line !== "");
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function parserOf(stream: string): StreamParser {
  const create = parsers[stream.split(".")[0] ?? ""];
  assert.ok(create);
  return create();
}

/** The record of the session of the stream `copilot.jsonl`. */
const record = {
  path: ".copilot/session-state/c516434f-9dc9-4366-b6b7-dcbdadf6ff8b/events.jsonl",
  text: textOf("copilot.session-shutdown.jsonl"),
};

function eventsOf(stream: string, left: readonly { readonly path: string; readonly text: string }[] = []): AgentEvent[] {
  const parser = parserOf(stream);
  return [...linesOf(textOf(stream)).flatMap((line) => parser.push(line)), ...parser.end(left)];
}

function callsOf(events: readonly AgentEvent[]): CallUsage {
  const sum = { uncachedInput: 0, cacheCreation: 0, cacheRead: 0, output: 0, reasoning: 0 };
  for (const event of events) {
    if (event.kind !== "model call" || event.usage === undefined) continue;
    sum.uncachedInput += event.usage.uncachedInput;
    sum.cacheCreation += event.usage.cacheCreation;
    sum.cacheRead += event.usage.cacheRead;
    sum.output += event.usage.output;
    sum.reasoning += event.usage.reasoning ?? 0;
  }
  return sum;
}

test("there are streams of each of the four agents", () => {
  for (const agent of Object.keys(parsers)) assert.ok(streams.filter((name) => name.startsWith(`${agent}.`)).length >= 9, agent);
});

for (const stream of streams) {
  test(`the events of ${stream} are as they were reviewed`, () => {
    const path = join(fixtures, "golden", stream.replace(/\.jsonl$/, ".events.json"));
    const events = eventsOf(stream, stream === "copilot.jsonl" ? [record] : []);
    if (update) writeFileSync(path, `${JSON.stringify(events, null, 2)}\n`);
    assert.deepEqual(plain(events), JSON.parse(readFileSync(path, "utf8")));
  });

  test(`${stream} cut anywhere gives a beginning of its events`, () => {
    const bytes = Buffer.from(textOf(stream));
    const parser = parserOf(stream);
    const whole = plain(linesOf(textOf(stream)).flatMap((line) => parser.push(line)));
    assert.ok(Array.isArray(whole));
    fc.assert(
      fc.property(fc.nat({ max: bytes.length }), (cut) => {
        const half = parserOf(stream);
        const lines = bytes.subarray(0, cut).toString("utf8").split("\n");
        const before = lines.slice(0, -1).flatMap((line) => half.push(line));
        const last = (lines.at(-1) ?? "") === "" ? [] : half.push(lines.at(-1) ?? "");
        half.end();
        assert.deepEqual(plain(before), whole.slice(0, before.length));
        const isCut = last.length === 1 && last[0]?.kind === "unknown";
        if (!isCut) assert.deepEqual(plain(last), whole.slice(before.length, before.length + last.length));
      }),
      { numRuns: 40 },
    );
  });
}

test("no recorded line is unknown", () => {
  for (const stream of streams) {
    const unknown = eventsOf(stream).filter((event) => event.kind === "unknown");
    assert.deepEqual(
      unknown.map((event) => event.line.slice(0, 80)),
      [],
      stream,
    );
  }
});

test("the tokens of a success are those that the service counted, in buckets that do not overlap", () => {
  const told = { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153 };
  for (const stream of ["opencode.jsonl", "pi.jsonl"]) {
    const events = eventsOf(stream);
    assert.deepEqual(callsOf(events), { ...told, reasoning: 21 }, stream);
    const costs = events.flatMap((event) => (event.kind === "model call" && event.costUsd !== undefined ? [event.costUsd] : []));
    assert.ok(Math.abs(costs.reduce((sum, cost) => sum + cost, 0) - 0.010575) < 1e-9, stream);
  }
  const geminiEnd = eventsOf("gemini.jsonl").find((event) => event.kind === "end");
  assert.deepEqual(geminiEnd?.usage, { ...told, reasoning: null });
  const copilotEnd = eventsOf("copilot.jsonl", [record]).find((event) => event.kind === "end");
  assert.deepEqual(copilotEnd?.usage, { ...told, reasoning: 21 });
});

test("a command that ends with 7 is an error wherever the stream tells it", () => {
  for (const stream of ["opencode.toolfail.jsonl", "pi.toolfail.jsonl", "copilot.toolfail.jsonl"]) {
    const result = eventsOf(stream).find((event) => event.kind === "tool result");
    assert.equal(result?.status, "error", stream);
    assert.equal(result?.exitCode, 7, stream);
  }
});

test("each success is three calls of the model, a file and a command in common words", () => {
  for (const stream of ["gemini.jsonl", "opencode.jsonl", "pi.jsonl", "copilot.jsonl"]) {
    const events = eventsOf(stream);
    const tools = events.flatMap((event) => (event.kind === "tool call" ? [event] : []));
    assert.deepEqual(
      tools.map(({ tool }) => tool),
      ["Write", "Bash"],
      stream,
    );
    assert.equal(tools[0]?.parameters.file_path, "/workspace/hello.py", stream);
    assert.equal(tools[0]?.parameters.content, 'print("hello from the fake agent")\n', stream);
    assert.equal(tools[1]?.parameters.command, "python3 /workspace/hello.py", stream);
    assert.equal(events.filter((event) => event.kind === "model call").length, 3, stream);
    const end = events.at(-1);
    assert.equal(end?.kind === "end" && end.result, "Done: hello.py created and run.", stream);
  }
});

test("the record of another session of copilot tells nothing", () => {
  const other = { ...record, path: ".copilot/session-state/another/events.jsonl" };
  const end = eventsOf("copilot.jsonl", [other]).find((event) => event.kind === "end");
  assert.equal(end?.usage, undefined);
});

test("a killed copilot's record is found by the lines that both have, and is no last word of success", () => {
  const parser = copilot.createParser();
  parser.push(JSON.stringify({ type: "user.message", data: {}, id: "line-1" }));
  const shared = `${JSON.stringify({ type: "user.message", id: "line-1" })}\n${record.text}`;
  const [end, ...more] = parser.end([
    { path: ".copilot/session-state/a/events.jsonl", text: record.text.replaceAll("3300", "9900") },
    { path: ".copilot/session-state/b/events.jsonl", text: shared },
  ]);
  assert.deepEqual(more, []);
  assert.equal(end?.kind === "end" && end.usage?.uncachedInput, 2700);
  assert.equal(end?.kind === "end" && end.isError, true);
});

test("of the shapes in which opencode counts, the one whose sum is the total is taken", () => {
  const usageOf = (tokens: object): CallUsage | undefined => {
    const line = JSON.stringify({ type: "step_finish", part: { messageID: "m", reason: "stop", tokens } });
    const call = opencode
      .createParser()
      .push(line)
      .find((event) => event.kind === "model call");
    return call?.usage;
  };
  const cache = { read: 200, write: 10 };
  const same = { uncachedInput: 800, cacheCreation: 10, cacheRead: 200, output: 50, reasoning: 7 };
  assert.deepEqual(usageOf({ input: 800, output: 43, reasoning: 7, cache, total: 1060 }), same);
  assert.deepEqual(usageOf({ input: 800, output: 50, reasoning: 7, cache, total: 1060 }), same);
  assert.deepEqual(usageOf({ input: 1010, output: 50, reasoning: 7, cache, total: 1060 }), same);
  assert.deepEqual(usageOf({ input: 1010, output: 43, reasoning: 7, cache, total: 1060 }), same);
  assert.equal(usageOf({}), undefined);
});

test("no line whatsoever makes a parser throw, and a line that is not known is kept as it is", () => {
  const word = fc.constantFrom(
    ...["init", "message", "tool_use", "tool_result", "error", "result", "step_start", "step_finish", "text", "reasoning", "session"],
    ...["message_end", "tool_execution_start", "tool_execution_end", "auto_retry_start", "auto_retry_end", "agent_settled"],
    ...["session.skills_loaded", "session.tools_updated", "assistant.message", "tool.execution_start", "tool.execution_complete"],
    ...[
      "model.call_failure",
      "assistant.turn_retry",
      "session.error",
      "assistant",
      "system",
      "success",
      "stop",
      "__proto__",
      "constructor",
    ],
  );
  const key = fc.constantFrom(
    ...["type", "role", "message", "content", "part", "state", "tokens", "cache", "stats", "models", "error", "data", "tool", "tool_name"],
    ...["toolName", "args", "arguments", "parameters", "input", "output", "usage", "cost", "status", "sections", "skills", "timestamp"],
    ...["exitCode", "messageID", "result", "structuredContent", "shellExecution", "metadata", "time", "reason", "errorMessage", "id"],
  );
  const { line } = fc.letrec<{ line: unknown; value: unknown }>((tie) => ({
    line: fc.dictionary(key, tie("value"), { maxKeys: 6 }),
    value: fc.oneof({ maxDepth: 4 }, word, fc.jsonValue({ maxDepth: 1 }), tie("line"), fc.array(tie("line"), { maxLength: 3 })),
  }));
  const text = fc.oneof(
    line.map((value) => JSON.stringify(value)),
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  );
  for (const create of Object.values(parsers)) {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), (lines) => {
        const parser = create();
        for (const each of lines) {
          for (const event of parser.push(each)) if (event.kind === "unknown") assert.equal(event.line, each);
        }
        parser.end([{ path: "a/b/events.jsonl", text: lines.join("\n") }]);
      }),
      { numRuns: 150 },
    );
  }
});
