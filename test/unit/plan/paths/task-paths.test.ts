import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { resolveAgentPaths, resolvePaths, resolveSandboxPaths, resolveTemplatePaths } from "../../../../src/plan/task-paths.ts";
import { taskFolder } from "../task-folder.ts";

const told = (problems: readonly { readonly severity: string; readonly path: readonly PropertyKey[]; readonly message: string }[]) =>
  problems.map(({ severity, path, message }) => `${severity} ${path.join(".")}: ${message}`);

test("an experiment's blocks have their paths relative to its folder, and problems at their place in it", async () => {
  await using folder = await taskFolder({ "prompts/s.md": "Be brief.\n", "seed/a": "" });
  const place = { folder: folder.path, env: { EMPTY: "" }, path: ["variants", 1] };
  const agent = await resolveAgentPaths({ system_prompt_file: "prompts/s.md", model: "m" }, { ...place, path: [...place.path, "agent"] });
  assert.deepEqual(agent, { fields: { model: "m", system_prompt: "Be brief.", system_prompt_file: null }, problems: [] });
  const sandbox = await resolveSandboxPaths({ docker: { dockerfile_path: "$GONE/D" } }, { ...place, path: [...place.path, "sandbox"] });
  assert.deepEqual(told(sandbox.problems), [
    "error variants.1.sandbox.docker.dockerfile_path: the variable 'GONE' in '$GONE/D' is not set",
  ]);
  const sources = [
    { type: "template_dir", path: "seed" },
    { type: "repo", url: "u" },
    { type: "template_dir", path: "gone" },
  ];
  const templates = await resolveTemplatePaths(sources, { ...place, path: [...place.path, "template_sources"] });
  assert.deepEqual(templates.sources, [
    { type: "template_dir", path: join(folder.path, "seed") },
    { type: "repo", url: "u" },
    { type: "template_dir", path: join(folder.path, "gone") },
  ]);
  assert.deepEqual(told(templates.problems), ["warning variants.1.template_sources.2.path: the template folder 'gone' does not exist"]);
});

test("a plugin's path is kept as it is written where a variable makes it absolute, a relative one starts at the file", async () => {
  await using folder = await taskFolder({ "plugins/a/x": "" });
  const env = { PLUGINS: join(folder.path, "plugins"), RELATIVE: "plugins" };
  const paths = ["$PLUGINS/a", "plugins/a", "${RELATIVE}/a", "/gone", "$UNSET"];
  const plugins = paths.map((path) => ({ type: "local", path }));
  const { fields, problems } = await resolveAgentPaths({ plugins }, { folder: folder.path, env, path: ["agent"] });
  const absolute = join(folder.path, "plugins/a");
  assert.deepEqual(
    fields.plugins,
    ["$PLUGINS/a", absolute, absolute, "/gone", "$UNSET"].map((path) => ({ type: "local", path })),
  );
  // Whether a variable is missed is seen when the agent is known.
  assert.deepEqual(told(problems), ["warning agent.plugins.3.path: the plugin folder '/gone' does not exist"]);
});

test("a missing reference is told, since criteria find it only after the agent's work; its path stays as it is written", async () => {
  await using folder = await taskFolder({ "solution/a": "", "r.md": "" });
  const check = async (reference: object) => {
    const { fields, problems } = await resolvePaths({ reference }, folder.path, {});
    assert.equal(fields.reference, reference);
    return told(problems);
  };
  assert.deepEqual(await check({ file: "r.md" }), []);
  assert.deepEqual(await check({ directory: "solution" }), []);
  assert.deepEqual(await check({ file: "gone.md" }), ["warning reference.file: the reference file 'gone.md' does not exist"]);
  assert.deepEqual(await check({ file: "solution" }), ["warning reference.file: 'solution' is no file"]);
  assert.deepEqual(await check({ directory: "r.md" }), ["warning reference.directory: 'r.md' is no folder"]);
  assert.deepEqual(await check({ file: "$GONE" }), ["error reference.file: the variable 'GONE' in '$GONE' is not set"]);
});

test("scripts and files that criteria name by $TASK_DIR are looked for beside the task", async () => {
  await using folder = await taskFolder({ "check.py": "", "rubric.md": "" });
  const criterion = { type: "run_command", description: "d" };
  const commands = [
    'python3 "$TASK_DIR/check.py" out',
    "python3 ${TASK_DIR}/chek.py && $TASK_DIR/sub/run.sh",
    '"$TASK_DIR"/also-gone.py',
    "cat $TASK_DIR/${row.name}.json $TASK_DIR/*.json $TASK_DIR/data-$N",
    "cd $TASK_DIR && ls",
    "echo $MY_TASK_DIR/x",
    'echo x >> "$TASK_DIR/made.txt"; wc -l < $TASK_DIR/made.txt; wc -l < ${TASK_DIR}/gone.txt; cat ${TASK_DIR}/gone.txt',
  ];
  const judge = { type: "llm_judge", files: ["out.txt", "$TASK_DIR/rubric.md", "$TASK_DIR/gone.md", "$TASK_DIR/*.md"] };
  const success_criteria = [...commands.map((command) => ({ ...criterion, command })), judge];
  const { problems } = await resolvePaths({ success_criteria }, folder.path, {});
  assert.deepEqual(told(problems), [
    "warning success_criteria.1.command: the file '$TASK_DIR/chek.py' does not exist",
    "warning success_criteria.1.command: the file '$TASK_DIR/sub/run.sh' does not exist",
    "warning success_criteria.2.command: the file '$TASK_DIR/also-gone.py' does not exist",
    "warning success_criteria.6.command: the file '$TASK_DIR/gone.txt' does not exist",
    "warning success_criteria.7.files.2: the file '$TASK_DIR/gone.md' does not exist",
  ]);
});

test("back slashes are read as slashes where no file has them in its name", { skip: process.platform === "win32" }, async () => {
  await using folder = await taskFolder({ "seed/a": "", "odd\\name": "Prompt." });
  const sources = [{ type: "template_dir", path: ".\\seed" }];
  const { sources: resolved, problems } = await resolveTemplatePaths(sources, { folder: folder.path, env: {}, path: [] });
  assert.deepEqual(resolved, [{ type: "template_dir", path: join(folder.path, "seed") }]);
  assert.deepEqual(told(problems), ["warning 0.path: the path '.\\seed' is read with '/' instead of '\\'"]);
  const odd = await resolvePaths({ initial_prompt_file: "odd\\name" }, folder.path, {});
  assert.deepEqual([odd.fields.initial_prompt, odd.problems], ["Prompt.", []]);
  const gone = await resolvePaths({ initial_prompt_file: "a\\gone" }, folder.path, {});
  assert.deepEqual(told(gone.problems), ["error initial_prompt_file: the file 'a\\gone' does not exist"]);
});

test("a path that no system can have is one that does not exist", async () => {
  await using folder = await taskFolder({});
  const { problems } = await resolvePaths({ initial_prompt_file: "a\0b", reference: { file: "x".repeat(5000) } }, folder.path, {});
  assert.deepEqual(
    problems.map(({ code }) => code),
    ["missing-file", "missing-reference"],
  );
});
