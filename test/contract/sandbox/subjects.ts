import { realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { sandboxSchema } from "../../../src/plan/sandbox-schema.ts";
import type { SandboxRequest } from "../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../src/sandbox/tempdir/driver.ts";
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

export async function tempdirSubject(): Promise<Subject> {
  const tmpDir = await realpath(tmpdir());
  const driver = createTempdirDriver({ runId: "contract", env: hostEnv, tmpDir, log: () => {}, killGraceMs: 500 });
  return { name: "tempdir", start: async (env) => await driver.start(requestOf({ driver: "tempdir" }, env), new AbortController().signal) };
}
