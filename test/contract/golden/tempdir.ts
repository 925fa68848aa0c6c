import { tmpdir } from "node:os";
import { sandboxSchema } from "../../../src/plan/schema/sandbox-schema.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../src/sandbox/tempdir/driver.ts";

/** A directory of its own, removed when the sandbox is disposed of. */
export async function startTempdir(): Promise<Sandbox> {
  const driver = createTempdirDriver({ runId: "golden", env: process.env, tmpDir: tmpdir(), log: () => {}, killGraceMs: 500 });
  const request = {
    key: "default/golden/00",
    taskId: "golden",
    config: sandboxSchema.parse({ driver: "tempdir" }),
    taskDir: tmpdir(),
    env: {},
    lifeSeconds: 600,
    log: () => {},
  };
  return await driver.start(request, new AbortController().signal);
}
