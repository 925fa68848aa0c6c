import { join } from "node:path";
import type { AgentStop } from "../agents/agent.ts";
import type { AgentEvent } from "../agents/agent-event.ts";
import { conversationBlock, conversationPrompt, readableLine } from "../agents/telemetry/conversation-log.ts";
import type { LiveTelemetry } from "../agents/telemetry/live-telemetry.ts";
import type { Clock } from "../clock.ts";
import { fileNames } from "../results/layout.ts";
import type { Redactor } from "../untrusted/redact.ts";
import { hideInEvent } from "./hide-in-event.ts";
import { openTaskLog, type TaskLog } from "./task-log.ts";

type Stream = "stdout" | "stderr";

export interface AgentRecordParts {
  readonly log: TaskLog;
  /** The stream of events as it came, where the agent has one. */
  readonly rawLog: TaskLog | undefined;
  /** The talk of prompt, agent and tools, for a person. */
  readonly conversationLog: TaskLog | undefined;
  readonly redactor: Redactor;
  /** To a display, redacted. */
  readonly show: (stream: Stream, text: string) => void;
  /** To a display: what an event says in a line. */
  readonly showEvent: (event: AgentEvent, line: string) => void;
}

/** Where everything goes that an agent says: logs of the attempt and the display. Foreign text; secrets are hidden here. */
export interface AgentRecord {
  /** For one start of its program. */
  output(): { readonly write: (stream: Stream, text: string) => void; readonly end: () => void };
  prompt(text: string): void;
  event(event: AgentEvent): void;
  /** A text without secrets, for what is kept of it elsewhere. */
  hide(text: string): string;
}

export function createAgentRecord(parts: AgentRecordParts): AgentRecord {
  const { log, rawLog, conversationLog, redactor, show, showEvent } = parts;
  const hide = (text: string): string => redactor.redact(text).text;
  const put = (stream: Stream, text: string): void => {
    if (text === "") return;
    // The events of such an agent stand in the log as lines that can be read.
    if (stream === "stdout" && rawLog !== undefined) {
      rawLog.raw(text);
      return;
    }
    log.foreign(`agent ${stream}`, text);
    show(stream, text);
  };
  return {
    output() {
      // A secret may be split over two pieces of output, so each stream is redacted as a whole.
      const streams = { stdout: redactor.stream(), stderr: redactor.stream() };
      return {
        write: (stream, text) => put(stream, streams[stream].write(text)),
        end: () => {
          put("stdout", streams.stdout.end());
          put("stderr", streams.stderr.end());
        },
      };
    },
    prompt(text) {
      conversationLog?.raw(conversationPrompt(hide(text)));
    },
    hide,
    event(seen) {
      const event = hideInEvent(seen, hide);
      const line = readableLine(event);
      if (line !== undefined) {
        log.foreign("agent", line);
        showEvent(event, hide(line));
      }
      const block = conversationBlock(event);
      if (block !== undefined) conversationLog?.raw(hide(block));
    },
  };
}

export interface AgentLogs {
  /** Directory of the attempt's results. */
  readonly directory: string;
  /** The agent has a stream of events. */
  readonly structured: boolean;
  readonly clock: Clock;
}

/** The record of an attempt with its files `agent-stream.jsonl` and `conversation.log`. @throws EnvironmentError, also when it is closed */
export async function openAgentRecord(
  parts: Omit<AgentRecordParts, "rawLog" | "conversationLog">,
  { directory, structured, clock }: AgentLogs,
): Promise<{ readonly record: AgentRecord; close(): Promise<void> }> {
  const redact = (text: string): string => parts.redactor.redact(text).text;
  const open = async (name: string): Promise<TaskLog | undefined> =>
    structured ? await openTaskLog(join(directory, name), { clock, redact }) : undefined;
  const [rawLog, conversationLog] = [await open(fileNames.agentStream), await open(fileNames.conversation)];
  return {
    record: createAgentRecord({ ...parts, rawLog, conversationLog }),
    async close() {
      await rawLog?.close();
      await conversationLog?.close();
    },
  };
}

/** What is done with each event: recorded first, so that what ends the agent can be read; then watched. */
export function recordAndWatch(
  record: AgentRecord,
  watch: (event: AgentEvent, live: LiveTelemetry) => AgentStop | undefined,
): (event: AgentEvent, live: LiveTelemetry) => AgentStop | undefined {
  return (event, live) => {
    record.event(event);
    return watch(event, live);
  };
}
