import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Engine } from "../../src/sandbox/docker/connect.ts";

export interface EngineProxy extends AsyncDisposable {
  /** For `DOCKER_HOST`. */
  readonly address: string;
  /** How many connections of drivers are open. */
  connections(): number;
  /** Breaks every connection and takes no more, as an engine that was killed. */
  cut(): void;
  /** Keeps the connections and lets nothing through any more, as an engine that hangs. */
  freeze(): void;
  /** Takes connections again. */
  restore(): void;
}

/** Stands between a driver and the real engine, which goes on undisturbed. */
export async function startEngineProxy(engine: Engine): Promise<EngineProxy> {
  const { endpoint } = engine.client;
  if (endpoint.kind !== "socket") throw new Error("the proxy needs an engine behind a socket");
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-proxy-"));
  const path = join(dir, "engine.sock");
  const sockets = new Set<net.Socket>();
  const drivers = new Set<net.Socket>();
  let state: "open" | "cut" | "frozen" = "open";
  const server = net.createServer({ allowHalfOpen: true }, (near) => {
    const far = net.connect({ path: endpoint.path, allowHalfOpen: true });
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.once("close", () => sockets.delete(socket));
    }
    drivers.add(near);
    near.once("close", () => drivers.delete(near));
    if (state === "cut") {
      near.destroy();
      far.destroy();
      return;
    }
    near.pipe(far);
    far.pipe(near);
    if (state === "frozen") for (const socket of [near, far]) socket.pause();
  });
  server.listen(path);
  await once(server, "listening");
  return {
    address: `unix://${path}`,
    connections: () => drivers.size,
    cut() {
      state = "cut";
      for (const socket of sockets) socket.destroy();
    },
    freeze() {
      state = "frozen";
      for (const socket of sockets) {
        socket.unpipe();
        socket.pause();
      }
    },
    restore() {
      state = "open";
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
      await rm(dir, { recursive: true, force: true });
    },
  };
}
