import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { foreseeableProblems } from "../../../../src/plan/checks.ts";
import { taskFolder } from "../task-folder.ts";
import { foreseen, resolvedTask } from "./resolved-task.ts";

const docker = (more: object, env: Readonly<Record<string, string>> = {}) =>
  foreseen({ sandbox: { driver: "docker", docker: more } }, env).map((text) => text.replace("sandbox.docker.", ""));

test("an image's name is one that an engine can read", () => {
  for (const image of ["alpine", "ghcr.io/team/image:1.2", "localhost:5000/a@sha256:".concat("0".repeat(64))])
    assert.deepEqual(docker({ image }), []);
  for (const image of ["Alpine", "a b", "-a", "a:b:c", "a//b"]) {
    assert.deepEqual(docker({ image }), [
      `warning image: '${image}' is no image reference / write [registry/]name[:tag], in lower case; the task will end in an error`,
    ]);
  }
  // What is built has a name of ours.
  assert.deepEqual(docker({ image: "A B", dockerfile_path: "/x/Dockerfile" }), []);
});

test("a variable of a build argument that is not set is told, since the image will not be built", () => {
  const args = { A: "$SET", B: "x-${UNSET}", C: "$$" };
  assert.deepEqual(docker({ dockerfile_path: "/x", build: { args } }, { SET: "" }), [
    "warning build.args.B: the variable 'UNSET' in 'x-${UNSET}' is not set / set UNSET in the environment, else the task will end in an error",
  ]);
  assert.deepEqual(docker({ image: "alpine", build: { args } }), []);
});

test("a listed variable that is not set is told, those of the built-in list are not", () => {
  assert.deepEqual(docker({}), []);
  assert.deepEqual(docker({ env_passthrough: ["SET", "UNSET"], env_passthrough_extra: ["ALSO"] }, { SET: "" }), [
    "warning env_passthrough.1: the variable 'UNSET' is not set, so it is not passed on / set it, or take it off the list",
    "warning env_passthrough_extra.0: the variable 'ALSO' is not set, so it is not passed on / set it, or take it off the list",
  ]);
});

test("a mount's source has to be there, and its variables have to be set", async () => {
  await using folder = await taskFolder({ "a/b": "" });
  const env = { HERE: folder.path };
  const extra_mounts = ["$HERE/a:/a", "$HERE/a/b:/b:ro", "$HERE/gone:/c", "${NO}/x:/$NO/$ALSO", "./a:/d", "C:\\x:/e"];
  assert.deepEqual(docker({ extra_mounts }, env), [
    "warning extra_mounts.2: the mount source '$HERE/gone' does not exist / the task will end in an error",
    "warning extra_mounts.3: the variable 'NO' in '${NO}/x:/$NO/$ALSO' is not set / set NO in the environment, else the task will end in an error",
    "warning extra_mounts.4: the source of './a:/d' is not absolute / begin it with '/', '~' or a variable; the task will end in an error",
    "warning extra_mounts.5: the source of 'C:\\x:/e' is not absolute / begin it with '/', '~' or a variable; the task will end in an error",
  ]);
});

test("nothing of the docker block matters to a tempdir task", () => {
  const block = { image: "A B", env_passthrough_extra: ["UNSET"], extra_mounts: ["$NO:/a"], build: { args: { A: "$NO" } } };
  assert.deepEqual(foreseen({ sandbox: { driver: "tempdir", docker: block } }), []);
});

test("an agent's settings are looked at when that agent runs", () => {
  const plugins = [{ type: "local", path: "$UNSET/p" }];
  const prompt = { initial_prompt: "p" };
  const missing =
    "warning agent.plugins.0.path: the variable 'UNSET' in '$UNSET/p' is not set / set UNSET in the environment, else the agent will run without it";
  assert.deepEqual(foreseen({ ...prompt, agent: { type: "claude-code", plugins } }), [missing]);
  assert.deepEqual(foreseen({ ...prompt, agent: { type: "claude-code", plugins } }, { UNSET: "/x" }), []);
  assert.deepEqual(foreseen({ agent: { type: "none", plugins } }), []);
  const settings = (claude_settings: unknown) => foreseen({ ...prompt, agent: { type: "claude-code", claude_settings } });
  for (const good of ["settings.json", '{"a": 1}', { a: 1 }, null]) assert.deepEqual(settings(good), []);
  assert.match(
    settings(" {a: 1}")[0] ?? "",
    /^warning agent\.claude_settings: the settings are no JSON: .* \/ write them as a mapping instead$/,
  );
});

test("a folder of stand-in tools comes from a template, where all that could bring it is known", async () => {
  await using folder = await taskFolder({ "seed/mocks/uip": "", "seed/file": "" });
  const template = { type: "template_dir", path: join(folder.path, "seed") };
  const starter = { type: "starter_files", files: [{ path: "bin/tool", content: "" }] };
  const mocks = (mock_path_dirs: readonly string[], more: object = {}, task: object = {}) =>
    foreseen({ ...task, sandbox: { mock_path_dirs, template_sources: [template, starter], ...more } });
  assert.deepEqual(mocks(["mocks", "./bin", "mocks/", "."]), []);
  assert.deepEqual(mocks(["moks", "file"]), [
    "warning sandbox.mock_path_dirs.0: no template brings the folder 'moks' / name a folder of a template, relative to the sandbox",
    "warning sandbox.mock_path_dirs.1: no template brings the folder 'file' / name a folder of a template, relative to the sandbox",
  ]);
  const mounted = { template_sources: [{ ...template, mount_point: "a/b" }] };
  assert.deepEqual(mocks(["a", "a/b", "a/b/mocks"], mounted), []);
  assert.equal(mocks(["a/mocks", "mocks"], mounted).length, 2);
  // A command, a clone, an image or a template that is missing may bring anything.
  assert.deepEqual(mocks(["x"], {}, { pre_run: [{ command: "mkdir x" }] }), []);
  assert.deepEqual(mocks(["x"], { driver: "docker" }), []);
  assert.deepEqual(mocks(["x"], { template_sources: [{ type: "repo", url: "u" }] }), []);
  assert.deepEqual(mocks(["x"], { template_sources: [{ ...template, path: join(folder.path, "gone") }] }), []);
});

test("rows that share their settings have them looked at once, and each gets what was found", () => {
  const row = resolvedTask({ sandbox: { driver: "docker", docker: { env_passthrough_extra: ["A"] } } });
  let asked = 0;
  const env = new Proxy<Record<string, string>>(
    {},
    {
      getOwnPropertyDescriptor: () => {
        asked += 1;
        return undefined;
      },
    },
  );
  for (let index = 0; index < 5; index += 1) assert.equal(foreseeableProblems({ ...row, task_id: `t/${index}` }, env, {}).length, 1);
  assert.equal(asked, 1);
  assert.equal(foreseeableProblems(row, { A: "" }, {}).length, 0);
});
