import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { encodeRegistryAuth } from "../../src/sandbox/docker/registry-auth.ts";
import { testImage } from "./engine.ts";

/** The user of the test registry; the file below holds the bcrypt hash of the password. */
export const login = { username: "evalbatch", password: "correct horse" };
const htpasswd = "evalbatch:$2y$05$74uhAwh6mkPL/BC.5WkQjefSbnXoC9NYl4kZYE/bnoIgVBjSx9RDe\n";

export interface TestRegistry extends AsyncDisposable {
  /** `127.0.0.1:<port>`: engines take plain HTTP from loopback. */
  readonly host: string;
  /** Requests for manifests are answered so, one entry per request; `hang up` breaks the connection. */
  readonly failures: (number | "hang up")[];
}

export function hasRegistry(): boolean {
  try {
    execFileSync("docker-registry", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** A real registry (Debian's docker-registry) with log-in, holding `team/image:1`, behind a front that fails on demand. */
export async function startRegistry(engine: Engine): Promise<TestRegistry> {
  await using stack = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-registry-"));
  stack.defer(async () => await rm(dir, { recursive: true, force: true }));
  await writeFile(join(dir, "htpasswd"), htpasswd);
  const port = await freePort();
  const config = [
    "version: 0.1",
    "log: {level: error}",
    `storage: {filesystem: {rootdirectory: ${join(dir, "data")}}}`,
    `http: {addr: "127.0.0.1:${port}", relativeurls: true}`,
    `auth: {htpasswd: {realm: test, path: ${join(dir, "htpasswd")}}}`,
  ];
  await writeFile(join(dir, "config.yml"), config.join("\n"));
  const child = spawn("docker-registry", ["serve", join(dir, "config.yml")], { stdio: "ignore" });
  stack.defer(async () => await end(child));
  await untilAnswers(port);

  const failures: (number | "hang up")[] = [];
  const front = http.createServer((incoming, outgoing) => {
    const failure = incoming.url?.includes("/manifests/") === true ? failures.shift() : undefined;
    if (failure === "hang up") {
      incoming.socket.destroy();
      return;
    }
    if (failure !== undefined) {
      outgoing
        .writeHead(failure, { "content-type": "application/json" })
        .end(JSON.stringify({ errors: [{ code: "TOOMANYREQUESTS", message: "slow down" }] }));
      return;
    }
    const forward = http.request(
      { port, host: "127.0.0.1", method: incoming.method, path: incoming.url, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    forward.on("error", () => outgoing.destroy());
    incoming.pipe(forward);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  stack.defer(async () => {
    front.closeAllConnections();
    front.close();
    await once(front, "close");
  });
  const host = `127.0.0.1:${portOf(front)}`;
  await push(engine, host);
  const owned = stack.move();
  return { host, failures, [Symbol.asyncDispose]: async () => await owned.disposeAsync() };
}

async function push(engine: Engine, host: string): Promise<void> {
  const repo = `${host}/team/image`;
  await engine.client.call({ method: "POST", path: `/images/${testImage}/tag`, query: { repo, tag: "1" } });
  const headers = { "X-Registry-Auth": encodeRegistryAuth({ ...login, serveraddress: host }) };
  const response = await engine.client.stream({ method: "POST", path: `/images/${repo}/push`, query: { tag: "1" }, headers });
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  if (text.includes('"error"')) throw new Error(`push failed: ${text}`);
  await engine.client.call({ method: "DELETE", path: `/images/${repo}:1` });
}

/** `config.json` with that log-in, as `docker login` writes it; gives the directory for `DOCKER_CONFIG`. */
export async function writeLogin(dir: string, host: string, password = login.password): Promise<void> {
  const auth = Buffer.from(`${login.username}:${password}`).toString("base64");
  await writeFile(join(dir, "config.json"), JSON.stringify({ auths: { [host]: { auth } } }));
}

async function freePort(): Promise<number> {
  const server = http.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

function portOf(server: http.Server): number {
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("not listening on a port");
  return address.port;
}

async function untilAnswers(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/v2/`);
      return;
    } catch (error) {
      if (tries > 200) throw error;
      await delay(50);
    }
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
