import type { AgentEvent, CallUsage } from "../agent-event.ts";
import { countAt, objectAt, parseLine, type StreamObject, textAt } from "./stream-line.ts";

/** Below the home: one file per session. Its stream tells no usage of turns that fail or are killed, and none of single calls; this does. */
export const rolloutPattern = ".codex/sessions/*/*/*/rollout-*.jsonl";

/** Codex counts cached tokens as input, too; formats.md 10.4. */
export function codexUsage(usage: StreamObject): CallUsage | undefined {
  const input = countAt(usage, "input_tokens");
  const output = countAt(usage, "output_tokens");
  if (input === undefined && output === undefined) return undefined;
  const cacheRead = countAt(usage, "cached_input_tokens") ?? 0;
  const cacheCreation = countAt(usage, "cache_write_input_tokens") ?? 0;
  return {
    uncachedInput: Math.max(0, (input ?? 0) - cacheRead - cacheCreation),
    cacheCreation,
    cacheRead,
    output: output ?? 0,
    reasoning: countAt(usage, "reasoning_output_tokens") ?? null,
  };
}

/** What the session's own file tells: its model and version, and the calls of the model in order, numbered as those of the stream. */
export function rolloutCalls(
  files: readonly { readonly path: string; readonly text: string }[],
  threadId: string | undefined,
  nameOf: (call: number) => string,
): readonly AgentEvent[] {
  // Earlier tries left files of their own.
  const file = threadId === undefined ? undefined : files.find(({ path }) => path.endsWith(`-${threadId}.jsonl`));
  if (file === undefined) return [];
  const calls: AgentEvent[] = [];
  let seen = "";
  let model: string | undefined;
  let version: string | undefined;
  for (const line of file.text.split("\n")) {
    const read = parseLine(line);
    if (read.kind === "other") continue;
    const payload = objectAt(read.value, "payload");
    const type = textAt(read.value, "type");
    if (type === "session_meta") version = textAt(payload, "cli_version") ?? version;
    if (type === "turn_context") model = textAt(payload, "model") ?? model;
    if (textAt(payload, "type") !== "token_count") continue;
    const info = objectAt(payload, "info");
    // The same count is told again when only the rate limits have changed.
    const sum = JSON.stringify(objectAt(info, "total_token_usage"));
    const usage = codexUsage(objectAt(info, "last_token_usage"));
    if (usage === undefined || sum === seen) continue;
    seen = sum;
    calls.push({ kind: "model call", messageId: nameOf(calls.length + 1), model, usage });
  }
  return [{ kind: "session", sessionId: threadId, model, version }, ...calls];
}
