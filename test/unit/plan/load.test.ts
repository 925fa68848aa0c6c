import assert from "node:assert/strict";
import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { inspect } from "node:util";
import { type LoadedTask, loadTask } from "../../../src/plan/load.ts";
import { noAgentTask, taskFolder } from "./task-folder.ts";

const head = "task_id: t\ndescription: d\n";
const criteria = "success_criteria: [{type: file_exists, description: e, path: p}]\n";

async function load(
  text: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  env: Readonly<Record<string, string>> = {},
  explicit = true,
) {
  await using folder = await taskFolder({ ...files, "tasks/t.yaml": text });
  const result = await loadTask({ path: join(folder.path, "tasks/t.yaml"), name: "tasks/t.yaml", explicit }, env);
  return { result, folder: folder.path };
}

async function loaded(...args: Parameters<typeof load>): Promise<{ task: LoadedTask; folder: string }> {
  const { result, folder } = await load(...args);
  assert.ok(result.kind === "loaded", inspect(result.kind === "problem" ? result.issues : result));
  return { task: result, folder };
}

async function errors(...args: Parameters<typeof load>): Promise<string[]> {
  const { result } = await load(...args);
  assert.equal(result.kind, "problem");
  return result.issues.filter(({ severity }) => severity === "error").map(({ field, message }) => `${field ?? ""}: ${message}`);
}

test("a prompt file is read, trimmed and inlined", async () => {
  const { task } = await loaded(`${head}initial_prompt_file: ../prompts/p.md\n${criteria}`, {
    "prompts/p.md": "\uFEFF\r\n Do it.\r\nNow. \n\n",
  });
  assert.equal(task.definition.initial_prompt, "Do it.\nNow.");
  assert.equal(task.definition.initial_prompt_file, null);
});

test("a system prompt file is inlined too, with variables in its path", async () => {
  const yaml = `${head}initial_prompt: p\nagent: {type: pi, system_prompt_file: "\${PROMPTS}/s.md"}\n${criteria}`;
  const { task } = await loaded(yaml, { "tasks/prompts/s.md": "Be brief.\n" }, { PROMPTS: "prompts" });
  assert.equal(task.definition.agent?.system_prompt, "Be brief.");
  assert.equal(task.definition.agent?.system_prompt_file, null);
});

test("a prompt file that cannot be read is an error that names it", async () => {
  const yaml = (file: string) => `${head}initial_prompt_file: ${file}\n${criteria}`;
  assert.deepEqual(await errors(yaml("gone.md")), ["initial_prompt_file: the file 'gone.md' does not exist"]);
  assert.deepEqual(await errors(yaml(".")), ["initial_prompt_file: '.' is no file"]);
  assert.deepEqual(await errors(yaml("b.md"), { "tasks/b.md": Uint8Array.from([97, 255]) }), [
    "initial_prompt_file: 'b.md' is not UTF-8: byte 1 starts no character",
  ]);
});

test("a prompt file with nothing in it is warned of, since the agent would be asked nothing", async () => {
  const { task } = await loaded(`${head}initial_prompt_file: p.md\n${criteria}`, { "tasks/p.md": " \n" });
  assert.equal(task.definition.initial_prompt, "");
  assert.deepEqual(
    task.warnings.map(({ code, field, message }) => [code, field, message]),
    [["empty-prompt", "initial_prompt_file", "the file 'p.md' is empty"]],
  );
});

test("template paths become absolute: relative to the file, with variables and ~", async () => {
  const sources = ["../seed", "$SEED", "$" + "{SEED}/x", "~/y"].map((path) => `{type: template_dir, path: "${path}"}`);
  const { task, folder } = await loaded(
    noAgentTask("t", `sandbox: {template_sources: [${sources.join(", ")}]}\n`),
    { "seed/f": "" },
    { SEED: "/seed", HOME: "/home/u" },
  );
  assert.deepEqual(
    task.definition.sandbox.template_sources?.map((source) => (source.type === "template_dir" ? source.path : "")),
    [join(folder, "seed"), "/seed", "/seed/x", "/home/u/y"],
  );
});

test("a variable that is not set is an error, all of them at once", async () => {
  const sources = "sandbox: {template_sources: [{type: template_dir, path: $GONE/a}], docker: {dockerfile_path: $ALSO_GONE}}\n";
  assert.deepEqual(await errors(noAgentTask("t", sources), {}, {}), [
    "sandbox.template_sources[0].path: the variable 'GONE' in '$GONE/a' is not set",
    "sandbox.docker.dockerfile_path: the variable 'ALSO_GONE' in '$ALSO_GONE' is not set",
  ]);
});

test("a Dockerfile has to exist, whatever the driver; a template that does not exist only warns", async () => {
  const yaml = noAgentTask("t", "sandbox: {docker: {dockerfile_path: Dockerfile}, template_sources: [{type: template_dir, path: gone}]}\n");
  assert.deepEqual(await errors(yaml), ["sandbox.docker.dockerfile_path: the Dockerfile 'Dockerfile' does not exist"]);
  const { task, folder } = await loaded(yaml, { "tasks/Dockerfile": "FROM scratch" });
  assert.equal(task.definition.sandbox.docker.dockerfile_path, join(folder, "tasks/Dockerfile"));
  assert.deepEqual(
    task.warnings.map(({ code }) => code),
    ["missing-template"],
  );
});

test("an unknown top-level field warns with a guess, an unknown nested one is an error", async () => {
  const { task } = await loaded(noAgentTask("t", "max_iterations: 3\nsandbx: {}\n1: x\n"));
  assert.deepEqual(
    task.warnings.map(({ line, message, hint }) => [line, message, hint]),
    [
      [4, "unknown field 'max_iterations', ignored", undefined],
      [5, "unknown field 'sandbx', ignored", "did you mean 'sandbox'?"],
      [6, "unknown field '1', ignored", undefined],
    ],
  );
  assert.deepEqual(await errors(noAgentTask("t", "sandbox: {drivr: docker}\n")), ["sandbox.drivr: unknown field 'drivr'"]);
});

test("additional_ignore_patterns is another name of an agent's ignore_patterns", async () => {
  const { task } = await loaded(`${head}initial_prompt: p\nagent: {type: codex, additional_ignore_patterns: [x]}\n${criteria}`);
  assert.deepEqual(task.definition.agent?.ignore_patterns, ["x"]);
});

test("rules across fields are reported together with the problems of the schema", async () => {
  const found = await errors(`${head}agent: {type: none}\ninitial_prompt: p\ntags: [BAD]\n${criteria}`);
  assert.equal(found.length, 2);
});

test("a YAML file in a folder that is no task is passed over with a notice; named itself it is an error", async () => {
  for (const text of ["a: 1\n", "", "- 1\n", "a: {{ x }}\n", "a: 1\n---\nb: 2\n", "experiment_id: e\nvariants: []\n"]) {
    assert.equal((await load(text, {}, {}, false)).result.kind, "no task", text);
    assert.equal((await load(text, {}, {}, true)).result.kind, "problem", text);
  }
});

test("a broken file in a folder that looks like a task is an error, not a notice", async () => {
  for (const text of ["task_id: a\ndescription: 'x\n", "success_criteria: [\n", "task_id: a\n"]) {
    assert.equal((await load(text, {}, {}, false)).result.kind, "problem", text);
  }
});

test("an empty file, a list and a folder say what they are", async () => {
  assert.deepEqual(await errors("# nothing\n"), [": the file is empty"]);
  assert.deepEqual(await errors("- a\n"), [": a task is a mapping of fields, found a list of 1"]);
  await using folder = await taskFolder({});
  await mkdir(join(folder.path, "d.yaml"));
  const result = await loadTask({ path: join(folder.path, "d.yaml"), name: "d.yaml", explicit: true }, {});
  assert.equal(result.kind === "problem" ? result.issues[0]?.message : "", "it is not a file");
  const gone = await loadTask({ path: join(folder.path, "gone.yaml"), name: "gone.yaml", explicit: true }, {});
  assert.equal(gone.kind === "problem" ? gone.type : "", "FileNotFoundError");
  await symlink("gone.yaml", join(folder.path, "link.yaml"));
  const link = await loadTask({ path: join(folder.path, "link.yaml"), name: "link.yaml", explicit: true }, {});
  assert.equal(link.kind === "problem" ? link.issues[0]?.message : "", "it is a link that leads nowhere");
});

test("an integer beyond 2^53 is kept exactly where any value may stand, and refused where a number is wanted", async () => {
  const check = "{type: json_check, description: j, path: a, assertions: [{expression: id, expected: 12345678901234567891}]}";
  const { task } = await loaded(`${head}agent: {type: none}\nsuccess_criteria: [${check}]\n`);
  const [criterion] = task.definition.success_criteria;
  assert.equal(criterion?.type === "json_check" ? criterion.assertions[0]?.expected : undefined, 12345678901234567891n);
  assert.deepEqual(await errors(noAgentTask("t", "run_limits: {max_turns: 12345678901234567891}\n")), [
    "run_limits.max_turns: found the number 12345678901234567891, expected a number",
  ]);
});
