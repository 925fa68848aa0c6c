import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { sandboxSchema } from "../../../src/plan/schema/sandbox-schema.ts";
import type { Engine } from "../../../src/sandbox/docker/connect.ts";
import type { SandboxRequest } from "../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../src/sandbox/tempdir/driver.ts";
import { importImage, openDriver, removeImage, testImage } from "../../docker/engine.ts";
import type { Subject } from "./contract.ts";

/** Values that must never be seen in a sandbox. */
const canaries = Object.fromEntries(
  ["GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "INPUT_GITHUB-TOKEN", "RUNNER_TEMP", "MY_API_KEY"].map(
    (name) => [name, `canary-${name}`],
  ),
);

/** The host's environment as a job would have it. */
export const hostEnv: Readonly<Record<string, string | undefined>> = { ...process.env, ...canaries };

export function requestOf(config: Readonly<Record<string, unknown>>, env: Readonly<Record<string, string>> = {}): SandboxRequest {
  return {
    key: "default/contract/00",
    taskId: "contract",
    config: sandboxSchema.parse(config),
    taskDir: tmpdir(),
    env,
    lifeSeconds: 600,
    log: () => {},
  };
}

/** Starts the kind of sandbox; disposing it removes what it left. */
export type OpenSubject = () => Promise<Subject & AsyncDisposable>;

export const openTempdir: OpenSubject = async () => {
  const tmpDir = await realpath(tmpdir());
  const driver = createTempdirDriver({ runId: "contract", env: hostEnv, tmpDir, log: () => {}, killGraceMs: 500 });
  return {
    start: async (env) => await driver.start(requestOf({ driver: "tempdir" }, env), new AbortController().signal),
    [Symbol.asyncDispose]: async () => await driver.killAll(),
  };
};

/** Containers of a bare busybox image, as root or as a user without a name in it. */
export function openDocker(engine: Engine, user?: string): OpenSubject {
  return async () => {
    const image = user === undefined ? testImage : `evalbatch-contract-${user}:${process.pid}`;
    if (user !== undefined) await importImage(engine, image, undefined, [`USER ${user}`]);
    const docker = await openDriver({ env: hostEnv });
    return {
      start: async (env) => await docker.start({ docker: { image } }, env === undefined ? {} : { env }),
      [Symbol.asyncDispose]: async () => {
        await docker.driver.killAll();
        if (user !== undefined) await removeImage(engine, image);
      },
    };
  };
}
