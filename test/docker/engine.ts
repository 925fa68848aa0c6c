import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import test, { type TestContext } from "node:test";
import { pack } from "tar-stream";
import { systemClock } from "../../src/clock.ts";
import { type SandboxConfig, sandboxSchema } from "../../src/plan/schema/sandbox-schema.ts";
import { connectEngine, type Engine } from "../../src/sandbox/docker/connect.ts";
import { discoverEndpoints } from "../../src/sandbox/docker/discover.ts";
import { createDockerDriver, type DockerDriverOptions } from "../../src/sandbox/docker/driver.ts";
import { hasStatus } from "../../src/sandbox/docker/engine-error.ts";
import { containerListSchema, networkListSchema, volumeListSchema } from "../../src/sandbox/docker/responses.ts";
import type { Sandbox, SandboxDriver, SandboxRequest } from "../../src/sandbox/sandbox.ts";

// Tests on a real engine: the one that the environment names. Without one they are skipped with the reason, or fail where
// EVALBATCH_REQUIRE_DOCKER=1 says that there must be one.

export const testImage = "evalbatch-test-busybox";
export const never = new AbortController().signal;

type Found = { readonly engine: Engine } | { readonly reason: string };

async function findEngine(): Promise<Found> {
  const program = process.env.EVALBATCH_TEST_BUSYBOX ?? "/bin/busybox";
  try {
    const { client, ...rest } = await connectEngine(discoverEndpoints(process.env, process.platform));
    if (!existsSync(program)) throw new Error(`no static busybox at ${program} (Debian: busybox-static)`);
    const engine = { client, ...rest };
    await importImage(engine, testImage, program);
    return { engine };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    if (process.env.EVALBATCH_REQUIRE_DOCKER === "1") throw new Error(`EVALBATCH_REQUIRE_DOCKER=1, but ${reason}`, { cause: error });
    return { reason };
  }
}

const found = await findEngine();

/** A test that needs an engine. */
export function dockerTest(name: string, body: (engine: Engine, t: TestContext) => Promise<void>): void {
  if ("reason" in found) test(name, { skip: `no Docker: ${found.reason}` }, () => undefined);
  else test(name, { timeout: 300_000 }, async (t) => await body(found.engine, t));
}

/** The engine, or undefined where there is none and none is required. */
export const dockerEngine: Engine | undefined = "engine" in found ? found.engine : undefined;

/** `FROM scratch`, busybox and its applets: no /tmp, no /etc/passwd, as bare as an image can be. `changes` as in a Dockerfile. */
export async function importImage(
  engine: Engine,
  name: string,
  program = "/bin/busybox",
  changes: readonly string[] = [],
  files: Readonly<Record<string, string>> = {},
) {
  if (changes.length === 0 && Object.keys(files).length === 0 && (await hasImage(engine, name))) return;
  const tar = pack();
  tar.entry({ name: "bin/", type: "directory", mode: 0o755 });
  tar.entry({ name: "bin/busybox", mode: 0o755 }, readFileSync(program));
  for (const applet of execFileSync(program, ["--list"], { encoding: "utf8" }).split("\n")) {
    if (applet !== "" && applet !== "busybox") tar.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  }
  for (const [path, text] of Object.entries(files)) tar.entry({ name: path, mode: 0o644 }, text);
  tar.finalize();
  const [repo = "", tag = "latest"] = name.split(":");
  const query = new URLSearchParams({ fromSrc: "-", repo, tag });
  for (const change of changes) query.append("changes", change);
  await engine.client.call({ method: "POST", path: `/images/create?${query}`, upload: Readable.from(tar) });
}

async function hasImage(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.client.call({ method: "GET", path: `/images/${name}/json` });
    return true;
  } catch (error) {
    if (hasStatus(error, 404)) return false;
    throw error;
  }
}

export async function removeImage(engine: Engine, name: string): Promise<void> {
  await engine.client.call({ method: "DELETE", path: `/images/${name}`, query: { force: true } }).catch(() => undefined);
}

let runs = 0;

/** A run id that no other test process uses. */
export function newRunId(): string {
  runs += 1;
  return `test-${process.pid}-${Date.now().toString(36)}-${runs}`;
}

export interface TestDriver extends AsyncDisposable {
  readonly runId: string;
  readonly driver: SandboxDriver;
  /** Of the driver and of its sandboxes. */
  readonly lines: string[];
  start(config?: ConfigOverrides, more?: Partial<SandboxRequest>): Promise<Sandbox>;
  request(config?: ConfigOverrides, more?: Partial<SandboxRequest>): SandboxRequest;
}

export interface ConfigOverrides {
  readonly docker?: Readonly<Record<string, unknown>>;
  readonly limits?: Partial<SandboxConfig["limits"]>;
}

/** A driver of its own run; everything of that run is removed at the end. */
export async function openDriver(overrides: Partial<DockerDriverOptions> = {}): Promise<TestDriver> {
  const runId = overrides.runId ?? newRunId();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const driver = await createDockerDriver({ runId, env: process.env, concurrency: 2, clock: systemClock, log, ...overrides });
  const request = (config: ConfigOverrides = {}, more: Partial<SandboxRequest> = {}): SandboxRequest => ({
    key: "default/task/00",
    taskId: "task",
    config: sandboxSchema.parse({
      driver: "docker",
      docker: { image: testImage, network: "none", ...config.docker },
      limits: config.limits ?? {},
    }),
    taskDir: process.cwd(),
    env: {},
    lifeSeconds: 600,
    log,
    ...more,
  });
  return {
    runId,
    driver,
    lines,
    request,
    start: async (config, more) => await driver.start(request(config, more), never),
    async [Symbol.asyncDispose]() {
      await driver.killAll();
      const built = lines.flatMap((line) => /^building (\S+)/.exec(line)?.[1] ?? []);
      if (dockerEngine !== undefined) for (const tag of built) await removeImage(dockerEngine, tag);
    },
  };
}

/** What of a run the engine still has, in any state. */
export async function leftOf(engine: Engine, runId: string): Promise<string[]> {
  const query = { filters: JSON.stringify({ label: [`evalbatch.run=${runId}`] }) };
  const { client } = engine;
  const [containers, networks, volumes] = await Promise.all([
    client.json(containerListSchema, { method: "GET", path: "/containers/json", query: { ...query, all: true } }),
    client.json(networkListSchema, { method: "GET", path: "/networks", query }),
    client.json(volumeListSchema, { method: "GET", path: "/volumes", query }),
  ]);
  return [
    ...containers.map(({ Id }) => `container ${Id}`),
    ...networks.map(({ Id }) => `network ${Id}`),
    ...(volumes.Volumes ?? []).map(({ Name }) => `volume ${Name}`),
  ];
}
