import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import type { AgentEvent } from "../../../../src/agents/agent-event.ts";
import { claudeCode } from "../../../../src/agents/cli/claude-code.ts";
import type { StreamParser } from "../../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../../src/agents/cli/codex.ts";
import { qwen } from "../../../../src/agents/cli/qwen.ts";

// `UPDATE_GOLDEN=1` writes the files anew: read the difference before you commit it.
const update = process.env.UPDATE_GOLDEN === "1";
const fixtures = join(import.meta.dirname, "../../../fixtures/agents");
const parsers: Readonly<Record<string, () => StreamParser>> = {
  claude: claudeCode.createParser,
  codex: codex.createParser,
  qwen: qwen.createParser,
};

const streams = readdirSync(join(fixtures, "streams"))
  .filter((name) => /^(?:claude|codex|qwen)\..*jsonl$/.test(name) && !name.endsWith(".transcript.jsonl"))
  .sort();

function parserOf(stream: string): StreamParser {
  const create = parsers[stream.split(".")[0] ?? ""];
  assert.ok(create);
  return create();
}

function textOf(stream: string): string {
  return readFileSync(join(fixtures, "streams", stream), "utf8");
}

function eventsOf(stream: string, text: string): AgentEvent[] {
  const parser = parserOf(stream);
  const lines = text.split("\n").filter((line) => line !== "");
  return [...lines.flatMap((line) => parser.push(line)), ...parser.end()];
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test("there are streams of each of the three agents", () => {
  for (const agent of Object.keys(parsers)) assert.ok(streams.filter((name) => name.startsWith(`${agent}.`)).length >= 10, agent);
});

for (const stream of streams) {
  test(`the events of ${stream} are as they were reviewed`, () => {
    const path = join(fixtures, "golden", stream.replace(/\.jsonl$/, ".events.json"));
    const events = eventsOf(stream, textOf(stream));
    if (update) {
      if (!existsSync(join(fixtures, "golden"))) mkdirSync(join(fixtures, "golden"));
      writeFileSync(path, `${JSON.stringify(events, null, 2)}\n`);
    }
    assert.deepEqual(plain(events), JSON.parse(readFileSync(path, "utf8")));
  });

  test(`${stream} cut anywhere gives a beginning of its events`, () => {
    const bytes = Buffer.from(textOf(stream));
    const parser = parserOf(stream);
    const whole = plain(
      textOf(stream)
        .split("\n")
        .filter((line) => line !== "")
        .flatMap((line) => parser.push(line)),
    );
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
      { numRuns: 60 },
    );
  });
}

test("no line whatsoever makes a parser throw, and a line that is not known is kept as it is", () => {
  const word = fc.constantFrom(
    ...["system", "assistant", "user", "result", "stream_event", "init", "retry", "api_retry", "item.started", "item.completed"],
    ...["item.updated", "turn.completed", "turn.failed", "error", "thread.started", "agent_message", "command_execution", "file_change"],
    ...["mcp_tool_call", "collab_tool_call", "todo_list", "web_search", "message_start", "message_delta", "message_stop", "tool_use"],
    ...["tool_result", "text", "thinking", "success", "add", "__proto__", "constructor"],
  );
  const key = fc.constantFrom(
    ...["type", "subtype", "message", "content", "item", "usage", "modelUsage", "event", "delta", "data", "error", "id", "name", "input"],
    ...["parent_tool_use_id", "text", "command", "changes", "kind", "path", "items", "result", "arguments", "status", "input_tokens"],
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
        parser.end();
        parser.end([{ path: "x.jsonl", text: lines.join("\n") }]);
      }),
      { numRuns: 300 },
    );
  }
});

test("what is no JSON object, or of a type that is not known, is an unknown event", () => {
  for (const create of Object.values(parsers)) {
    for (const line of ["", "oops", "[1]", "null", '{"type":"new thing"}', "{}", '{"type":7}', '{"type":"system","subtype":"new"}']) {
      assert.deepEqual(create().push(line), [{ kind: "unknown", line }]);
    }
  }
});

/** agents.md says what the scripted service counted. */
const totals = {
  "claude.jsonl": { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153, reasoning: 0 },
  "claude.partial.jsonl": { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153, reasoning: 0 },
  "claude.budget.jsonl": { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153, reasoning: 0 },
  "claude.maxturns.jsonl": { uncachedInput: 1700, cacheCreation: 0, cacheRead: 400, output: 101, reasoning: 0 },
  "codex.jsonl": { uncachedInput: 1700, cacheCreation: 0, cacheRead: 400, output: 101, reasoning: 14 },
  "codex.toolfail.jsonl": { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153, reasoning: 21 },
  "qwen.jsonl": { uncachedInput: 2700, cacheCreation: 0, cacheRead: 600, output: 153, reasoning: null },
} as const;

for (const [stream, usage] of Object.entries(totals)) {
  test(`the sums of ${stream} are what the service counted`, () => {
    const end = eventsOf(stream, textOf(stream)).findLast((event) => event.kind === "end");
    assert.deepEqual(end?.usage, usage);
  });
}

for (const stream of ["claude.partial.jsonl", "qwen.jsonl", "qwen.toolfail.jsonl"]) {
  test(`the single calls of ${stream} add up to its sums`, () => {
    const events = eventsOf(stream, textOf(stream));
    const end = events.findLast((event) => event.kind === "end");
    const calls = events.filter((event) => event.kind === "model call");
    assert.equal(calls.length, end?.turns);
    for (const bucket of ["uncachedInput", "cacheCreation", "cacheRead", "output"] as const) {
      const sum = calls.reduce((before, call) => before + (call.usage?.[bucket] ?? Number.NaN), 0);
      assert.equal(sum, end?.usage?.[bucket], bucket);
    }
  });
}
