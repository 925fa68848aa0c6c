import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { anthropic } from "./anthropic.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import type { ModelReply, ModelRequest, Protocol, ProtocolName } from "./protocol.ts";
import { keyOf, markOf, maskHeaders, parseBody, readBody, workDirOf } from "./request.ts";
import { responses } from "./responses.ts";
import { scenarios } from "./scenarios.ts";
import { type Fault, type Scenario, turnAfter } from "./script.ts";
import { mapCall } from "./tools.ts";

export interface ModelServerOptions {
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /** Default: any free one. */
  readonly port?: number;
  /** More scenarios, or others of the same name. */
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  /** Before a call is answered, while whoever made it waits. */
  readonly onCall?: (call: ModelCall, session: string) => Promise<void>;
}

/** A request for an answer of a model, as it came. */
export interface ModelCall {
  readonly protocol: ProtocolName;
  readonly path: string;
  readonly scenario: string;
  /** Keys are masked. */
  readonly headers: Readonly<Record<string, string>>;
  readonly key: "absent" | "present";
  readonly bodyBytes: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly model: string;
  readonly stream: boolean;
  /** Names of the tools that it offers. */
  readonly tools: readonly string[];
  /** Results of tools in the conversation so far. */
  readonly results: number;
  /** It offers no tools: a title for the session and the like, answered beside the script. */
  readonly aside: boolean;
  readonly at: number;
}

export interface ModelServer extends AsyncDisposable {
  readonly port: number;
  /** Base address for a scenario and, unless the prompt or the key tells it, a session. Protocol paths (`/v1/…`) follow it. */
  url(scenario: string, session?: string): string;
  /** Calls of a session in order: by the prompt's mark, else the address, else the key. */
  calls(session: string): readonly ModelCall[];
  /** What the script could not be put into, such as a call of a tool that was not offered. */
  readonly problems: readonly string[];
  close(): Promise<void>;
}

const protocols: readonly Protocol[] = [anthropic, responses, chat, gemini];
const messages: Readonly<Record<number, string>> = {
  401: "invalid api key",
  402: "your credit balance is too low",
  429: "rate limit reached",
  500: "internal server error",
  529: "Overloaded",
};
const aside: ModelReply = {
  thinking: undefined,
  text: '{"title":"A scripted title","isNewTopic":false,"reasoning":"none","complexity_reasoning":"none","complexity_score":1,"model_choice":"flash"}',
  calls: [],
  usage: { input: 90, cachedInput: 0, output: 9 },
};

/** Starts a service that answers as models do, by script. */
export async function startModelServer(options: ModelServerOptions = {}): Promise<ModelServer> {
  const known: Readonly<Record<string, Scenario>> = { ...scenarios, ...options.scenarios };
  const calls = new Map<string, ModelCall[]>();
  const problems: string[] = [];
  let ids = 0;
  const id = (prefix: string) => `${prefix}_${String(++ids).padStart(8, "0")}`;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = /^\/s\/([\w-]+)(?:\/t\/([\w-]+))?(\/.*)?$/.exec(request.url ?? "");
    const [, ofPath = "ok", sessionOfPath, path = "/"] = target ?? [];
    const text = await readBody(request);
    const protocol = protocols.find(({ matches }) => matches(path));
    if (protocol === undefined || request.method !== "POST") return sendJson(response, ...otherAnswer(request.method ?? "GET", path));
    const body = parseBody(text);
    const asked = protocol.read(body, path);
    const mark = markOf(text);
    const key = keyOf(request.headers, new URL(path, "http://localhost").searchParams);
    const name = mark.scenario ?? ofPath;
    const scenario = known[name];
    if (scenario === undefined) return sendJson(response, 404, protocol.errorBody(404, `no scenario '${name}'`));
    const session = mark.session ?? sessionOfPath ?? key ?? "none";
    const earlier = calls.get(session) ?? [];
    const isAside = asked.tools.length === 0;
    const call: ModelCall = {
      protocol: protocol.name,
      path,
      scenario: name,
      headers: maskHeaders(request.headers),
      key: key === undefined ? "absent" : "present",
      bodyBytes: Buffer.byteLength(text),
      body,
      model: asked.model,
      stream: asked.stream,
      tools: asked.tools.map((tool) => tool.name),
      results: asked.results,
      aside: isAside,
      at: Date.now(),
    };
    calls.set(session, [...earlier, call]);
    await options.onCall?.(call, session);
    const fault = faultOf(scenario, earlier.filter((one) => !one.aside).length, isAside);
    if (fault?.kind === "hang") return;
    if (fault?.kind === "status") return refuse(protocol, fault, response);
    const { reply, delayMs } = isAside ? { reply: aside, delayMs: 0 } : replyTo(scenario, asked, workDirOf(text));
    if (!asked.stream) {
      await delay(delayMs);
      return sendJson(response, 200, protocol.whole(asked, reply, { id, begin: async () => "go on" }));
    }
    const begin = async (): Promise<"go on" | "break"> => {
      if (delayMs > 0) await delay(delayMs);
      if (fault === undefined) return "go on";
      // What was written has to arrive first: it is the middle of an answer that breaks.
      await delay(50);
      response.destroy();
      return "break";
    };
    await protocol.stream(response, asked, reply, { id, begin });
  };

  const server = http.createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      problems.push(error instanceof Error ? error.message : String(error));
      response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(options.port ?? 0, options.host ?? "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  const origin = `http://${options.host ?? "127.0.0.1"}:${address.port}`;
  const close = async () => {
    server.closeAllConnections();
    if (!server.listening) return;
    server.close();
    await once(server, "close");
  };
  return {
    port: address.port,
    problems,
    url: (scenario, session) => `${origin}/s/${scenario}${session === undefined ? "" : `/t/${session}`}`,
    calls: (session) => calls.get(session) ?? [],
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Whether this call of a session goes wrong. What stands beside the script only meets what concerns every call. */
function faultOf(scenario: Scenario, earlierCalls: number, isAside: boolean): Fault | undefined {
  if (scenario.fault === undefined) return undefined;
  if (scenario.faultyCalls !== undefined) return !isAside && earlierCalls < scenario.faultyCalls ? scenario.fault : undefined;
  return isAside && scenario.fault.kind !== "status" ? undefined : scenario.fault;
}

function replyTo(scenario: Scenario, asked: ModelRequest, workDir: string): { reply: ModelReply; delayMs: number } {
  const { thinking, text = "", toolCalls = [], usage, delayMs = 0 } = turnAfter(scenario, asked.results);
  const calls = toolCalls.map((call) => mapCall(call, asked.tools, workDir));
  return { reply: { thinking, text, calls, usage }, delayMs };
}

function refuse(protocol: Protocol, fault: Fault & { kind: "status" }, response: ServerResponse): void {
  const { status, retryAfterSeconds } = fault;
  if (retryAfterSeconds !== undefined) response.setHeader("retry-after", String(retryAfterSeconds));
  sendJson(response, status, protocol.errorBody(status, messages[status] ?? `status ${status}`));
}

/** Everything that is no call of a model: counts of tokens, lists of models, a look whether anybody is there. */
function otherAnswer(method: string, path: string): readonly [status: number, body: unknown] {
  if (/\/count_tokens(?:\?|$)/.test(path)) return [200, { input_tokens: 1234 }];
  if (/:countTokens(?:\?|$)/.test(path)) return [200, { totalTokens: 1234 }];
  if (!/\/models(?:\?|$)/.test(path)) return [method === "HEAD" || path === "/" ? 200 : 404, {}];
  const model = { id: "scripted-model", object: "model", created: 1_700_000_000, owned_by: "script", type: "model" };
  return [200, { object: "list", data: [model], models: [] }];
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
