import assert from "node:assert/strict";
import { SandboxSetupError } from "../../src/errors.ts";
import { checkStandIns, standIns } from "../contract/cli-mocks/check-stand-ins.ts";
import { dockerTest, openDriver } from "./engine.ts";

dockerTest("stand-ins of recorded tools in a container with nothing but busybox", async (_engine, t) => {
  await using driver = await openDriver();
  await using sandbox = await driver.start();
  await checkStandIns(t, sandbox);
});

dockerTest("responses in a container without Node are refused before the agent starts, with what to do", async () => {
  await using driver = await openDriver();
  await using sandbox = await driver.start();
  await assert.rejects(standIns(sandbox, { record_cli: [{ tool: "shop", responses: [{ when: { verb: "a" } }] }] }), (error: unknown) => {
    assert.ok(error instanceof SandboxSetupError);
    assert.match(error.message, /need Node in the sandbox/);
    return true;
  });
});
