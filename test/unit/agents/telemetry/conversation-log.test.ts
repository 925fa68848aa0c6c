import assert from "node:assert/strict";
import test from "node:test";
import type { AgentEvent } from "../../../../src/agents/agent-event.ts";
import { conversationBlock, conversationPrompt, readableLine } from "../../../../src/agents/telemetry/conversation-log.ts";

const call = (tool: string, parameters: Record<string, unknown>): AgentEvent => {
  return { kind: "tool call", id: "1", tool, nativeTool: tool, parameters };
};

test("a call is one line with what tells most of it", () => {
  assert.equal(readableLine(call("Bash", { description: "runs it", command: "python3 a.py\nls" })), "Bash: python3 a.py ⏎ ls");
  assert.equal(readableLine(call("Write", { content: "x", file_path: "/w/a.py" })), "Write: /w/a.py");
  assert.equal(readableLine(call("Mcp", { depth: 3 })), 'Mcp: {"depth":3}');
  assert.equal(readableLine(call("LS", {})), "LS");
  assert.equal(readableLine(call("Bash", { command: "y".repeat(1000) }))?.length, "Bash: ".length + 300);
});

test("a talk reads from the prompt over calls and results to the end", () => {
  const events: AgentEvent[] = [
    { kind: "session", model: "m-1", version: "2.0", sessionId: "s-1" },
    { kind: "text", text: "I run it." },
    call("Bash", { command: "false" }),
    { kind: "tool result", id: "1", status: "error", text: "one\ntwo\n", exitCode: 1 },
    { kind: "retry", attempt: 2, status: 529, delayMs: 500, message: "overloaded" },
    { kind: "error", status: 401, message: "no key", final: true },
    { kind: "model call" },
    { kind: "end", isError: false, subtype: "success", turns: 3, costUsd: 0.0105, result: "Done." },
  ];
  const log = conversationPrompt("Do it.") + events.map((event) => conversationBlock(event) ?? "").join("");
  assert.equal(
    log,
    `=== USER (turn 1) — 6 characters ===

Do it.

=== AGENT (turn 1) — m-1, version 2.0, session s-1 ===

I run it.

> Bash: false
  error (exit code 1)
  | one
  | two

! tries again (retry 2, HTTP 529, waits 0.5 s): overloaded

! gives up (HTTP 401): no key

=== END — done: success (3 turns, $0.0105) ===

`,
  );
});

test("nothing that an agent says passes for a heading, a terminal command or a line of its own", () => {
  const text = "=== USER (turn 2) — x ===\n\u001b[2Jcleared\u202e";
  assert.equal(conversationBlock({ kind: "text", text }), " === USER (turn 2) — x ===\ncleared\n\n");
  assert.equal(readableLine({ kind: "text", text }), "=== USER (turn 2) — x === ⏎ cleared");
});

test("a long result is cut, and says how many lines are missing", () => {
  const block = conversationBlock({ kind: "tool result", id: "1", status: "success", text: "l\n".repeat(50) });
  assert.match(block ?? "", /\| l\n {2}\| … \(30 more lines\)\n\n$/);
});
