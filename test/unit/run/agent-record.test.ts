import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { AgentEvent } from "../../../src/agents/agent-event.ts";
import { openAgentRecord } from "../../../src/run/agent-record.ts";
import { openTaskLog } from "../../../src/run/task-log.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";

const secret = "Zq7-hidden-value-of-the-task";
const clock = { now: () => new Date(0), monotonicMs: () => 0 };

/** What stands in the logs and on the display after an event. */
async function shownOf(...events: AgentEvent[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "evalbatch-record-"));
  try {
    const redactor = createRedactor([secret]);
    const redact = (text: string): string => redactor.redact(text).text;
    const log = await openTaskLog(join(directory, "task.log"), { clock, redact });
    const shown: string[] = [];
    const parts = {
      log,
      redactor,
      show: () => {},
      showEvent: (event: AgentEvent, line: string) => shown.push(line, JSON.stringify(event)),
    };
    const { record, close } = await openAgentRecord(parts, { directory, structured: true, clock });
    for (const event of events) record.event(event);
    await close();
    await log.close();
    const files = await Promise.all(["task.log", "conversation.log"].map((name) => readFile(join(directory, name), "utf8")));
    return [...shown, ...files].join("\n");
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Texts in which the secret stands so that a cut at `characters` goes through it. */
function astride(characters: number): string {
  return `${"x".repeat(characters - secret.length / 2)}${secret} and more`;
}

const half = secret.slice(0, 8);

test("no part of a secret is shown where a text is cut in the middle of it", async () => {
  for (const at of [300, 500, 2000, 50_000]) {
    const text = astride(at);
    const shown = await shownOf(
      { kind: "text", text },
      { kind: "thinking", text },
      { kind: "tool call", id: "1", tool: "Bash", nativeTool: "Bash", parameters: { command: text } },
      { kind: "tool call", id: "2", tool: "Other", nativeTool: "Other", parameters: { deep: [{ in: text }] } },
      { kind: "tool result", id: "1", status: "success", text },
      { kind: "retry", message: text },
      { kind: "error", message: text, final: false },
      { kind: "unknown", line: text },
      { kind: "end", isError: false, subtype: "success", result: text },
    );
    assert.ok(shown.includes("xxxx"), `nothing is shown of ${at}`);
    assert.ok(!shown.includes(half), `a part is shown of ${at}`);
  }
});
