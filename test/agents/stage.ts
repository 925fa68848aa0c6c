import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import test, { type TestContext } from "node:test";
import { z } from "zod";
import { createdSchema } from "../../src/sandbox/docker/responses.ts";
import { dockerEngine, newRunId } from "../docker/engine.ts";
import type { Scenario } from "../fakes/model-server/script.ts";
import { type ModelCall, type ModelServer, startModelServer } from "../fakes/model-server/server.ts";

// Tests with the agents' real programs: they are fetched through npm and run in containers on a network that leads nowhere but to a
// scripted model. `npm run test:agents` runs them.

/** Everything: each agent in each scenario, and the long ones. */
export const isFull = process.env.EVALBATCH_AGENTS_ALL === "1";

const networkSchema = z.object({ IPAM: z.object({ Config: z.array(z.object({ Gateway: z.string().optional() })) }) });

/** Images for the agents: the same tree with two different users. */
export interface Images {
  readonly user: string;
  readonly root: string;
}

export interface Stage extends AsyncDisposable {
  readonly images: Images;
  /** Name of the internal network. */
  readonly network: string;
  readonly server: ModelServer;
}

export interface StageOptions {
  readonly scenarios?: Readonly<Record<string, Scenario>>;
  readonly onCall?: (call: ModelCall, session: string) => Promise<void>;
}

const missing = dockerEngine === undefined ? "no engine for the agents" : undefined;

/** A test of real agents. */
export function agentTest(name: string, body: (t: TestContext) => Promise<void>, timeoutMs = 600_000): void {
  if (missing !== undefined) test(name, { skip: missing }, () => undefined);
  else test(name, { timeout: timeoutMs }, async (t) => await body(t));
}

/** One that takes minutes: only with EVALBATCH_AGENTS_ALL=1. */
export function longAgentTest(name: string, body: (t: TestContext) => Promise<void>): void {
  if (isFull) agentTest(name, body, 3_600_000);
  else test(name, { skip: "long; EVALBATCH_AGENTS_ALL=1 runs it" }, () => undefined);
}

/** Images, an internal network of its own, and a model server on the network's own address of this machine. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  if (dockerEngine === undefined) throw new Error("no engine");
  const { client } = dockerEngine;
  await using stack = new AsyncDisposableStack();
  const images = readyImages();
  const network = `evalbatch-${newRunId()}`;
  const body = { Name: network, Internal: true };
  await client.json(createdSchema, { method: "POST", path: "/networks/create", body });
  stack.defer(async () => void (await client.call({ method: "DELETE", path: `/networks/${network}` })));
  const { IPAM } = await client.json(networkSchema, { method: "GET", path: `/networks/${network}` });
  const host = IPAM.Config.find(({ Gateway }) => Gateway !== undefined)?.Gateway;
  if (host === undefined) throw new Error(`the network ${network} has no address of this machine`);
  const server = stack.use(await startModelServer({ host, ...options }));
  const owned = stack.move();
  return { images, network, server, [Symbol.asyncDispose]: async () => await owned.disposeAsync() };
}

function readyImages(): Images {
  const program = resolve(import.meta.dirname, "../../scripts/ci/agents-image");
  const [user, root] = execFileSync(program, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
    .trim()
    .split("\n");
  if (user === undefined || root === undefined) throw new Error("no images");
  return { user, root };
}
