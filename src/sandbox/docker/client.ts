import http from "node:http";
import https from "node:https";
import type { Duplex, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { EngineConnectionError, EngineResponseError, systemCode } from "./engine-error.ts";
import { dialOverSsh } from "./ssh-dial.ts";

// The Engine API is plain HTTP plus one upgraded connection, so Node's own client is all that is needed
// (docs/decisions/0002-engine-client.md).

export interface EngineRequest {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "DELETE";
  /** Without the version prefix, e.g. `/containers/json`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; takes precedence over `body`. */
  readonly upload?: Readable | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of silence after which the engine counts as gone. Default 120,000; 0 = never. */
  readonly timeoutMs?: number | undefined;
  /** The connection does not keep this process alive. */
  readonly background?: boolean | undefined;
}

/** Talks to one engine. Every method throws `EngineResponseError`, `EngineConnectionError`, or the signal's reason. */
export interface EngineClient {
  readonly endpoint: Endpoint;
  json<Schema extends z.ZodType>(schema: Schema, request: EngineRequest): Promise<z.infer<Schema>>;
  /** For answers without a body that matters; gives the headers. */
  call(request: EngineRequest): Promise<http.IncomingHttpHeaders>;
  /** The answer's body as it comes. The caller must read it or destroy it. */
  stream(request: EngineRequest): Promise<http.IncomingMessage>;
  /** A raw two-way connection (`Upgrade: tcp`). */
  upgrade(request: EngineRequest): Promise<Duplex>;
  /** The same engine, with `/v<version>` in front of every path. */
  withVersion(version: string): EngineClient;
  close(): void;
}

/** The same engine, with one more signal on every request. */
export function clientWithSignal(client: EngineClient, signal: AbortSignal): EngineClient {
  const add = (request: EngineRequest): EngineRequest => ({
    ...request,
    signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
  });
  return {
    ...client,
    json: (schema, request) => client.json(schema, add(request)),
    call: (request) => client.call(add(request)),
    stream: (request) => client.stream(add(request)),
    upgrade: (request) => client.upgrade(add(request)),
    withVersion: (version) => clientWithSignal(client.withVersion(version), signal),
  };
}

const defaultTimeoutMs = 120_000;
const maxErrorBytes = 64 * 1024;

/** A client for one endpoint. Nothing is sent before the first request. */
export function createEngineClient(endpoint: Endpoint): EngineClient {
  const secure = endpoint.kind === "tcp" && endpoint.tls !== undefined;
  const agent = secure ? new https.Agent({ keepAlive: true }) : new http.Agent({ keepAlive: true });
  return clientOf(endpoint, agent, "");
}

function clientOf(endpoint: Endpoint, agent: http.Agent, prefix: string): EngineClient {
  const open = (request: EngineRequest, extra: http.OutgoingHttpHeaders = {}) => send(endpoint, agent, prefix, request, extra);
  const stream = async (request: EngineRequest) => {
    const answer = await open(request);
    if (answer.kind === "upgraded") throw new EngineConnectionError("EPROTO", "the engine switched protocols unasked");
    if ((answer.response.statusCode ?? 0) >= 400) throw await responseError(answer.response);
    return answer.response;
  };
  return {
    endpoint,
    stream,
    async json(schema, request) {
      const text = await readText(await stream(request));
      return schema.parse(text === "" ? undefined : JSON.parse(text));
    },
    async call(request) {
      const response = await stream(request);
      await readText(response);
      return response.headers;
    },
    async upgrade(request) {
      const answer = await open(request, { Connection: "Upgrade", Upgrade: "tcp" });
      if (answer.kind === "upgraded") return answer.socket;
      throw await responseError(answer.response);
    },
    withVersion: (version) => clientOf(endpoint, agent, `/v${version}`),
    close: () => agent.destroy(),
  };
}

type Answer =
  | { readonly kind: "response"; readonly response: http.IncomingMessage }
  | { readonly kind: "upgraded"; readonly socket: Duplex };

async function send(
  endpoint: Endpoint,
  agent: http.Agent,
  prefix: string,
  request: EngineRequest,
  extra: http.OutgoingHttpHeaders,
  again = false,
): Promise<Answer> {
  request.signal?.throwIfAborted();
  const body = request.upload === undefined && request.body !== undefined ? JSON.stringify(request.body) : undefined;
  const headers: http.OutgoingHttpHeaders = { Host: "docker", ...request.headers, ...extra };
  if (body !== undefined) Object.assign(headers, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  if (request.upload !== undefined) headers["Content-Type"] = "application/x-tar";
  const options: https.RequestOptions = { method: request.method, path: prefix + request.path + queryOf(request.query), headers };
  const outgoing = requestTo(endpoint, agent, options, request.background === true);
  if (request.signal !== undefined) abortWith(outgoing, request.signal);
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  // ssh watches its connection itself.
  if (timeoutMs > 0 && endpoint.kind !== "ssh") {
    outgoing.setTimeout(timeoutMs, () =>
      outgoing.destroy(new EngineConnectionError("ETIMEDOUT", `no answer within ${timeoutMs / 1000} s`)),
    );
  }
  try {
    return await new Promise<Answer>((resolve, reject) => {
      outgoing.once("response", (response) => {
        if (request.background === true && endpoint.kind !== "ssh") response.socket.unref();
        resolve({ kind: "response", response });
      });
      outgoing.once("upgrade", (_response, socket, head) => {
        if (head.length > 0) socket.unshift(head);
        resolve({ kind: "upgraded", socket });
      });
      outgoing.on("error", reject);
      // An engine that refuses an upload answers before it has read all of it: the answer counts, not the broken pipe.
      if (request.upload !== undefined) pipeline(request.upload, outgoing).catch(reject);
      else outgoing.end(body);
    });
  } catch (error) {
    if (request.signal?.aborted === true) throw request.signal.reason;
    // The engine may close an idle kept-alive connection in the moment we reuse it.
    if (!again && outgoing.reusedSocket && request.method !== "POST" && request.upload === undefined) {
      return send(endpoint, agent, prefix, request, extra, true);
    }
    throw connectionError(error);
  }
}

function requestTo(endpoint: Endpoint, agent: http.Agent, options: https.RequestOptions, background: boolean): http.ClientRequest {
  switch (endpoint.kind) {
    case "socket":
      return http.request({ ...options, agent, socketPath: endpoint.path });
    case "ssh":
      return http.request({ ...options, createConnection: () => dialOverSsh(endpoint, background) });
    case "tcp": {
      const target = { ...options, agent, host: endpoint.host, port: endpoint.port };
      if (endpoint.tls === undefined) return http.request(target);
      const { ca, cert, key, verify } = endpoint.tls;
      return https.request({ ...target, ca, cert, key, rejectUnauthorized: verify });
    }
  }
}

/** Not `RequestOptions.signal`: that one replaces the reason by an AbortError and leaks on kept-alive sockets. */
function abortWith(outgoing: http.ClientRequest, signal: AbortSignal): void {
  const abort = () => outgoing.destroy(new Error("aborted"));
  signal.addEventListener("abort", abort, { once: true });
  outgoing.once("close", () => signal.removeEventListener("abort", abort));
}

function queryOf(query: EngineRequest["query"]): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === "" ? "" : `?${text}`;
}

async function readText(response: http.IncomingMessage): Promise<string> {
  try {
    response.setEncoding("utf8");
    let text = "";
    for await (const chunk of response) text += chunk;
    return text;
  } catch (error) {
    throw connectionError(error);
  }
}

async function responseError(response: http.IncomingMessage): Promise<EngineResponseError> {
  const text = (await readText(response)).slice(0, maxErrorBytes).trim();
  let message = text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null && "message" in parsed && typeof parsed.message === "string")
      message = parsed.message;
  } catch {
    // Proxies answer in plain text or HTML: that text is the message.
  }
  const status = response.statusCode ?? 0;
  return new EngineResponseError(status, message === "" ? `status ${status}` : message);
}

function connectionError(error: unknown): EngineConnectionError {
  if (error instanceof EngineConnectionError) return error;
  const code = systemCode(error);
  return new EngineConnectionError(code, error instanceof Error && error.message !== "" ? error.message : code, error);
}
