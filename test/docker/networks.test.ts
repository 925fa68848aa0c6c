import assert from "node:assert/strict";
import { z } from "zod";
import type { Engine } from "../../src/sandbox/docker/connect.ts";
import { createdSchema } from "../../src/sandbox/docker/responses.ts";
import { dockerTest, newRunId, openDriver } from "./engine.ts";

const networkSchema = z.object({ Containers: z.record(z.string(), z.unknown()) });

/** An internal network that this test alone knows; removed at the end, after what is on it. */
async function internalNetwork(engine: Engine): Promise<AsyncDisposable & { readonly name: string }> {
  const name = `evalbatch-${newRunId()}`;
  const { Id } = await engine.client.json(createdSchema, {
    method: "POST",
    path: "/networks/create",
    body: { Name: name, Internal: true },
  });
  return { name, [Symbol.asyncDispose]: async () => void (await engine.client.call({ method: "DELETE", path: `/networks/${Id}` })) };
}

dockerTest("a task can be put on a network that the engine has, such as one that leads nowhere", async (engine) => {
  await using network = await internalNetwork(engine);
  await using docker = await openDriver();
  const sandbox = await docker.start({ docker: { network: network.name } });
  const seen = await engine.client.json(networkSchema, { method: "GET", path: `/networks/${network.name}` });
  assert.deepEqual(Object.keys(seen.Containers), [sandbox.facts.driver === "docker" ? sandbox.facts.containerId : "no container"]);
});

dockerTest("a network that the engine does not have is an error that names it, and leaves nothing behind", async (_engine) => {
  await using docker = await openDriver();
  const network = `evalbatch-absent-${newRunId()}`;
  await assert.rejects(docker.start({ docker: { network } }), (error: Error) => {
    assert.ok("code" in error && error.code === "network-not-found", `${error.name} ${error.message}`);
    assert.ok(error.message.includes(network));
    return true;
  });
});
