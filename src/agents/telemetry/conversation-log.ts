import type { AgentEvent } from "../agent-event.ts";

/** What an event says, for `conversation.log`; undefined where it says nothing to a person. */
export function conversationBlock(event: AgentEvent): string | undefined {
  return event.kind === "text" ? `${event.text}\n` : undefined;
}

/** What an event says in one line, for `task.log` and a display; undefined where it says nothing to a person. */
export function readableLine(event: AgentEvent): string | undefined {
  return event.kind === "text" ? event.text : undefined;
}
