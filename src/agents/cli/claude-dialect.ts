import type { CallUsage } from "../agent-event.ts";
import type { StreamObject } from "./stream-line.ts";

/** Where streams of Claude Code's format differ. */
export interface ClaudeDialect {
  /** Key of the first event under which the program's version stands. */
  readonly versionKey: string;
  /** Whether all pieces of one call of the model have the same `message.id`. */
  readonly tiesByMessageId: boolean;
  /** Common name and parameters of a tool call. */
  tool(name: string, input: StreamObject): { readonly tool: string; readonly parameters: StreamObject };
  usage(usage: StreamObject): CallUsage | undefined;
  /** Exit code of a command, told in the text of its failure. */
  exitCode(text: string): number | undefined;
  isServiceError(value: StreamObject, message: StreamObject, text: string): boolean;
}
