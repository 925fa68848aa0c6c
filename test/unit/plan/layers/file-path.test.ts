import assert from "node:assert/strict";
import test from "node:test";
import { filePath } from "../../../../src/plan/layers/file-path.ts";

const place = (path: readonly PropertyKey[], defaults: unknown) => filePath(["defaults"], path, { defaults }).join(".");

test("the driver stands beside the sandbox where an experiment has it there, else inside", () => {
  assert.equal(place(["sandbox", "driver"], { driver: "docker", sandbox: { driver: "tempdir" } }), "defaults.driver");
  assert.equal(place(["sandbox", "driver"], { driver: null, sandbox: { driver: "tempdir" } }), "defaults.sandbox.driver");
  assert.equal(place(["sandbox", "driver"], { sandbox: { driver: "tempdir" } }), "defaults.sandbox.driver");
});

test("template sources of an experiment stand beside the sandbox, all else where the setting has it", () => {
  assert.equal(place(["sandbox", "template_sources", 1, "path"], {}), "defaults.template_sources.1.path");
  assert.equal(place(["sandbox", "docker", "image"], {}), "defaults.sandbox.docker.image");
  assert.equal(place(["agent", "model"], {}), "defaults.agent.model");
});
