import type { AgentEvent } from "../agents/agent-event.ts";
import { isObject } from "../results/tolerant.ts";

/**
 * An event without secrets in what is shown of it. To be done before any of its texts is cut: of a secret that a cut goes through, the
 * rest is a secret no longer that could be found.
 */
export function hideInEvent(event: AgentEvent, hide: (text: string) => string): AgentEvent {
  switch (event.kind) {
    case "text":
    case "thinking":
    case "tool result":
      return { ...event, text: hide(event.text) };
    case "tool call":
      return { ...event, parameters: hideInParameters(event.parameters, hide) };
    case "retry":
    case "error":
      return { ...event, message: hide(event.message) };
    case "end":
      return event.result === undefined ? event : { ...event, result: hide(event.result) };
    case "unknown":
      return { ...event, line: hide(event.line) };
    case "session":
    case "model call":
      return event;
  }
}

/** What is nested more deeply is not shown. */
const mostDepth = 100;

function hideInParameters(parameters: Readonly<Record<string, unknown>>, hide: (text: string) => string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parameters).map(([key, value]) => [hide(key), hideInValue(value, hide, mostDepth)]));
}

function hideInValue(value: unknown, hide: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return hide(value);
  if (depth === 0) return "(nested too deeply)";
  if (Array.isArray(value)) return value.map((each) => hideInValue(each, hide, depth - 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [hide(key), hideInValue(each, hide, depth - 1)]));
}
