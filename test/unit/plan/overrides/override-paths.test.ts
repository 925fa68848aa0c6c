import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { InputError } from "../../../../src/errors.ts";
import { locateOverrides } from "../../../../src/plan/overrides/override-paths.ts";
import { inputNames, parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";

async function folder(): Promise<{ readonly dir: string } & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-overrides-"));
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

const locate = (cwd: string, set: readonly string[], env = {}) => locateOverrides(parseOverrides({ set }), { cwd, env });

test("paths are relative to where the user stands, variables in them are filled in, and stay absolute afterwards", async () => {
  await using at = await folder();
  await mkdir(join(at.dir, "skeleton"));
  await writeFile(join(at.dir, "Dockerfile"), "FROM scratch\n");
  const set = ["sandbox.template_sources=[{type: template_dir, path: $WHERE}]", "sandbox.docker.dockerfile_path=Dockerfile"];
  const { overrides, warnings } = await locate(at.dir, set, { WHERE: "skeleton" });
  assert.deepEqual(overrides.sandbox, {
    template_sources: [{ type: "template_dir", path: join(at.dir, "skeleton") }],
    docker: { dockerfile_path: join(at.dir, "Dockerfile") },
  });
  assert.deepEqual(warnings, []);
});

test("the file of a system prompt is read, and the lineage still names the file's setting", async () => {
  await using at = await folder();
  await writeFile(join(at.dir, "prompt.txt"), "Be brief.\n");
  const { overrides } = await locate(at.dir, ["agent.system_prompt_file=prompt.txt"]);
  assert.deepEqual(overrides.agent, { system_prompt: "Be brief." });
  assert.equal(overrides.detailOf("agent.system_prompt"), "-D agent.system_prompt_file");
});

test("a system prompt that is given as text is left alone", async () => {
  const { overrides } = await locate("/", ["agent.system_prompt=Be brief."]);
  assert.deepEqual(overrides.agent, { system_prompt: "Be brief." });
  assert.equal(overrides.detailOf("agent.system_prompt"), "-D agent.system_prompt");
});

test("every file that is not there, and every variable that is not set, is told at once; a missing template only warns", async () => {
  await using at = await folder();
  const set = ["sandbox.docker.dockerfile_path=nope", "agent.system_prompt_file=$NOPE/x"];
  await assert.rejects(locateOverrides(parseOverrides({ set }), { cwd: at.dir, env: {} }, inputNames), (error) => {
    assert.ok(error instanceof InputError);
    assert.equal(error.code, "usage");
    assert.deepEqual(
      error.issues.map(({ message }) => message),
      [
        "input \"set\": agent.system_prompt_file: the variable 'NOPE' in '$NOPE/x' is not set",
        "input \"set\": sandbox.docker.dockerfile_path: the Dockerfile 'nope' does not exist",
      ],
    );
    assert.equal(error.issues[1]?.hint, "a relative path starts at the working directory");
    return true;
  });
  const { warnings } = await locate(at.dir, ["sandbox.template_sources=[{type: template_dir, path: nope}]"]);
  assert.deepEqual(
    warnings.map(({ severity, message }) => [severity, message]),
    [["warning", "-D sandbox.template_sources[0].path: the template folder 'nope' does not exist"]],
  );
});
