import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { containerName, createOptions } from "../../../../src/sandbox/docker/create-options.ts";

const golden = join(import.meta.dirname, "../../../fixtures/docker/create-options.json");

test("the body of a create request is the reviewed one", () => {
  const body = createOptions({
    image: "sha256:4711",
    workDir: "/work",
    env: { LANG: "C.UTF-8", ODD: "a=b\nc" },
    labels: { "evalbatch.run": "run-1" },
    limits: { memoryBytes: 536_870_912, cpus: 1.5, pids: 200 },
    network: "none",
    mounts: [{ source: "/data/set", target: "/data", readOnly: true }],
    kits: [],
    lifeSeconds: 90.2,
  });
  assert.deepEqual(body, JSON.parse(readFileSync(golden, "utf8")));
});

test("a container's name is one that engines accept, whatever run and task are called", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (runId, key) => {
      assert.match(containerName(runId, key, "0a1b2c3d"), /^[a-zA-Z0-9][a-zA-Z0-9_.-]{1,127}$/);
    }),
  );
});

test("names of two starts of one task differ", () => {
  assert.notEqual(containerName("r", "default/t/00", "00000001"), containerName("r", "default/t/00", "00000002"));
});
