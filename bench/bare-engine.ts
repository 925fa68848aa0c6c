import { Agent, type IncomingMessage, request } from "node:http";

/** The Engine API with nothing around it: what any client has to do at the least. */
export interface BareEngine {
  /** The answer's text. @throws Error for any status of 400 and above */
  call(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<string>;
  /** The answer as it comes. */
  open(method: "GET" | "POST", path: string, body?: unknown): Promise<IncomingMessage>;
}

/** The engine behind a local socket: that of `DOCKER_HOST`, or Docker's usual one. */
export function bareEngine(env: Readonly<Record<string, string | undefined>>): BareEngine {
  const host = env.DOCKER_HOST ?? "unix:///var/run/docker.sock";
  if (!host.startsWith("unix://")) throw new Error(`the benchmark needs an engine behind a local socket, and DOCKER_HOST is ${host}`);
  const agent = new Agent({ keepAlive: true });
  const open: BareEngine["open"] = (method, path, body) => send(host.slice("unix://".length), agent, method, path, body);
  return { open, call: async (method, path, body) => textOf(await send(host.slice("unix://".length), agent, method, path, body), path) };
}

function send(socketPath: string, agent: Agent, method: string, path: string, body: unknown): Promise<IncomingMessage> {
  const content = body === undefined ? "" : JSON.stringify(body);
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(content) };
  return new Promise((resolve, reject) => {
    request({ socketPath, agent, method, path, headers }, resolve).on("error", reject).end(content);
  });
}

async function textOf(response: IncomingMessage, path: string): Promise<string> {
  response.setEncoding("utf8");
  let text = "";
  for await (const piece of response) text += String(piece);
  if ((response.statusCode ?? 0) >= 400) throw new Error(`${path}: ${response.statusCode} ${text}`);
  return text;
}
