import type { ServerResponse } from "node:http";
import type { ScriptUsage } from "./script.ts";
import type { NativeCall, OfferedTool } from "./tools.ts";

export type ProtocolName = "anthropic" | "responses" | "chat" | "gemini";

/** What the server reads of a request. */
export interface ModelRequest {
  readonly model: string;
  readonly stream: boolean;
  readonly tools: readonly OfferedTool[];
  /** Results of tools that the conversation holds. */
  readonly results: number;
}

/** One answer, with calls of tools that the request offers. */
export interface ModelReply {
  readonly thinking: string | undefined;
  readonly text: string;
  readonly calls: readonly NativeCall[];
  readonly usage: ScriptUsage;
}

/** Where a stream stands: `begin` is called after its first piece, and says whether the connection is to break now. */
export interface StreamHooks {
  begin(): Promise<"go on" | "break">;
  /** A new id of this server. */
  id(prefix: string): string;
}

/** One wire protocol. */
export interface Protocol {
  readonly name: ProtocolName;
  /** Of the path below the scenario. */
  matches(path: string): boolean;
  read(body: Readonly<Record<string, unknown>>, path: string): ModelRequest;
  /** The whole answer as JSON. */
  whole(request: ModelRequest, reply: ModelReply, hooks: StreamHooks): unknown;
  stream(response: ServerResponse, request: ModelRequest, reply: ModelReply, hooks: StreamHooks): Promise<void>;
  errorBody(status: number, message: string): unknown;
}

export function beginEvents(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
}

export function sendEvent(response: ServerResponse, data: unknown, event?: string): void {
  response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
}

/** A text in pieces, as a model writes it; a surrogate pair may be cut, as JSON escapes allow it. */
export function pieces(text: string): string[] {
  const size = Math.max(12, Math.ceil(text.length / 200));
  return Array.from({ length: Math.ceil(text.length / size) }, (_none, index) => text.slice(index * size, (index + 1) * size));
}
