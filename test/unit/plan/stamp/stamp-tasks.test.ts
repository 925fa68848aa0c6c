import assert from "node:assert/strict";
import { mkdir, rename, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import { InterruptedError } from "../../../../src/errors.ts";
import { stampTasks } from "../../../../src/plan/stamp/stamp-tasks.ts";
import { noAgentTask, taskFolder } from "../task-folder.ts";
import { dockerTask, stampFiles, stampFolder } from "./stamped.ts";

const template = "sandbox: {template_sources: [{type: template_dir, path: templates/app}]}\n";

test("a stamp names settings with their layers, and texts, files and folders by digests", async () => {
  const { stamp, stamps } = await stampFiles({
    "tasks/t.yaml": noAgentTask(
      "t",
      `run_limits: {max_turns: 3}\npre_run: [{command: make}]\n${template.replace("templates", "../templates")}`,
    ),
    "templates/app/main.py": "print(1)",
  });
  assert.deepEqual(stamp.settings["run_limits.max_turns"], { value: 3, source: "task", detail: null });
  assert.deepEqual(stamp.settings["sandbox.limits.timeout"], { value: 300, source: "default", detail: null });
  assert.deepEqual(stamp.settings["sandbox.template_sources"]?.value, [
    { include_patterns: [], mount_point: ".", path: "templates/app", type: "template_dir" },
  ]);
  assert.deepEqual(Object.keys(stamp.content), [
    ...["checker_context", "expected_commands", "folder templates/app", "initial_prompt", "post_run", "pre_run"],
    ...["reference", "simulation", "success_criteria"],
  ]);
  assert.equal(stamp.content.reference, "none");
  assert.match(stamp.content.pre_run ?? "", /^[0-9a-f]{32}$/);
  assert.deepEqual(Object.keys(stamps.folders), ["folder templates/app"]);
  assert.deepEqual(Object.keys(stamps.folders["folder templates/app"] ?? {}), ["main.py"]);
  assert.deepEqual(stamps.problems, []);
});

test("settings name the flag of the command line, the variant, the experiment; whoever sets a value, the digest is that of the value", async () => {
  await using folder = await taskFolder({
    "t.yaml": dockerTask("run_limits: {max_turns: 7}\n"),
    "e/experiment.yaml":
      "experiment_id: e\ndescription: d\ndefaults: {agent: {model: m}}\nvariants: [{variant_id: v, run_limits: {max_turns: 7}}]\n",
    "e/plain.yaml": "experiment_id: e\ndescription: d\nvariants: [{variant_id: v}]\n",
  });
  const plain = await stampFolder(folder.path, {}, { patterns: ["t.yaml"] });
  const flagged = await stampFolder(folder.path, {}, { patterns: ["t.yaml"], overrides: { set: ["run_limits.max_turns=7"] } });
  assert.deepEqual(flagged.stamp.settings["run_limits.max_turns"], { value: 7, source: "cli", detail: "-D run_limits.max_turns" });
  assert.deepEqual(flagged.stamp.settings["sandbox.docker.image"], { value: "node:24", source: "task", detail: null });
  assert.equal(flagged.stamp.digest, plain.stamp.digest);
  const varied = await stampFolder(folder.path, {}, { patterns: ["t.yaml"], experiment: "e/experiment.yaml" });
  assert.equal(varied.stamp.settings["run_limits.max_turns"]?.source, "variant");
  const unvaried = await stampFolder(folder.path, {}, { patterns: ["t.yaml"], experiment: "e/plain.yaml" });
  assert.equal(unvaried.stamp.settings["run_limits.max_turns"]?.source, "task");
  assert.equal(varied.stamp.digest, unvaried.stamp.digest);
});

test("the user's image has the flag's name, though it is no layer", async () => {
  const yaml = dockerTask().replace('  docker: {image: "node:24"}\n', "");
  await using folder = await taskFolder({ "t.yaml": yaml });
  const { stamp } = await stampFolder(folder.path, {}, { overrides: { set: [], image: "busybox:1" } });
  assert.deepEqual(stamp.settings["sandbox.docker.image"], { value: "busybox:1", source: "cli", detail: "--image" });
  const other = await stampFolder(folder.path, {}, { overrides: { set: ["sandbox.docker.network=none"] } });
  assert.equal(other.stamp.settings["sandbox.docker.image"]?.source, "default");
  assert.deepEqual(other.stamp.settings["sandbox.docker.network"], { value: "none", source: "cli", detail: "-D sandbox.docker.network" });
});

test("a block that a layer takes away is that layer's doing", async () => {
  const on = await stampFiles({ "t.yaml": noAgentTask("t") });
  const off = await stampFiles({ "t.yaml": noAgentTask("t", "sandbox: {python: null}\n") });
  assert.deepEqual(on.stamp.settings["sandbox.python.env_packages"], { value: [], source: "default", detail: null });
  assert.deepEqual(off.stamp.settings["sandbox.python.env_packages"], { value: null, source: "task", detail: null });
});

test("lists without an order are equal in any order", async () => {
  const [one, two] = await Promise.all(
    ["[A, B]", "[B, A, B]"].map((names) => stampFiles({ "t.yaml": dockerTask("", `, env_passthrough: ${names}`) })),
  );
  assert.equal(one?.stamp.digest, two?.stamp.digest);
  assert.deepEqual(two?.stamp.settings["sandbox.docker.env_passthrough"]?.value, ["A", "B"]);
});

test("a value that is long is told by its digest", async () => {
  const { stamp } = await stampFiles({
    "t.yaml": dockerTask().replace("model: gpt-5", `model: gpt-5, system_prompt: "${"x".repeat(400)}"`),
  });
  assert.match(String(stamp.settings["agent.system_prompt"]?.value), /^sha256 [0-9a-f]{32} of 402 characters$/);
});

/** Everything that a task can bring. */
const everything = {
  "repo/tasks/t.yaml": `task_id: t
description: d
initial_prompt_file: prompt.md
agent:
  type: claude-code
  system_prompt_file: system.md
  plugins: [{type: local, path: ../plugins/p}, {type: local, path: $SKILLS/s}]
sandbox:
  driver: docker
  template_sources: [{type: template_dir, path: $TEMPLATES/app}, {type: template_dir, path: ../../outside}]
  docker:
    dockerfile_path: ../docker/Dockerfile
    extra_mounts: ["$SKILLS/data:/data", "$SKILLS/tiny:/tiny", "$SKILLS/out:/out:rw"]
reference: {directory: ../reference}
success_criteria:
  - {type: run_command, description: e, command: "python $TASK_DIR/checks/check.py"}
`,
  "repo/tasks/prompt.md": "Do it",
  "repo/tasks/system.md": "Be good",
  "repo/tasks/checks/check.py": "import helper",
  "repo/tasks/checks/helper.py": "x = 1",
  "repo/plugins/p/SKILL.md": "skill",
  "repo/docker/Dockerfile": "FROM node:24\nCOPY . .\n",
  "repo/docker/src/a.js": "1",
  "repo/reference/solution.py": "2",
  "skills/s/SKILL.md": "skill",
  "skills/data/big.txt": "b".repeat(2000),
  "skills/tiny": "hunter2",
  "skills/out/x": "1",
  "templates/app/a.txt": "a",
  "outside/b.txt": "b",
};

async function stampEverything(root: string) {
  const env = { SKILLS: join(root, "skills"), TEMPLATES: join(root, "templates"), HOME: "/home/me" };
  return await stampFolder(join(root, "repo"), { env }, { patterns: ["tasks"] });
}

test("every file that a task can name is in its stamp, by a name without this machine's paths", async () => {
  await using folder = await taskFolder(everything);
  const { stamp, stamps } = await stampEverything(folder.path);
  assert.deepEqual(
    Object.keys(stamp.content).filter((name) => / /.test(name)),
    [
      ...["file $SKILLS/tiny", "file docker/Dockerfile", "file tasks/checks/check.py", "folder $SKILLS/data", "folder $SKILLS/out"],
      ...["folder $SKILLS/s", "folder $TEMPLATES/app", "folder ../../outside", "folder docker", "folder plugins/p", "folder reference"],
      "folder tasks/checks",
    ],
  );
  assert.equal(stamp.content["folder $SKILLS/out"], "not compared");
  assert.equal(stamp.content["file $SKILLS/tiny"], "7 bytes");
  assert.deepEqual(stamps.folders["folder $SKILLS/data"], { "big.txt": "2000 bytes" });
  assert.deepEqual(stamps.problems, []);
  assert.ok(!JSON.stringify([stamp, stamps.folders]).includes(folder.path));
});

test("a second checkout at another place, made in another order and later, has the same stamps", async () => {
  await using folder = await taskFolder(everything);
  await using other = await taskFolder(Object.fromEntries(Object.entries(everything).reverse()));
  const moved = join(other.path, "deeper/still");
  await mkdir(moved, { recursive: true });
  for (const name of ["repo", "skills", "templates", "outside"]) await rename(join(other.path, name), join(moved, name));
  await utimes(join(moved, "repo/docker/src/a.js"), 1, 1);
  const [here, there] = [await stampEverything(folder.path), await stampEverything(moved)];
  assert.deepEqual(there.stamp, here.stamp);
  assert.deepEqual(there.stamps.folders, here.stamps.folders);
});

/** What a task writes itself, and how a file is written that is read field by field. */
const unseen: ReadonlySet<string> = new Set(["repo/tasks/t.yaml", "skills/out/x"]);

for (const [name, text] of Object.entries(everything)) {
  test(`a line more in ${name} ${unseen.has(name) ? "is no change" : "is a change"}`, async () => {
    await using folder = await taskFolder(everything);
    const before = await stampEverything(folder.path);
    await writeFile(join(folder.path, name), `${text}\n# more`);
    const after = await stampEverything(folder.path);
    assert.equal(after.stamp.digest === before.stamp.digest, unseen.has(name));
  });
}

test("a file that is named and not there is missing, and its coming is a change", async () => {
  const yaml = dockerTask("reference: {file: solution.py}\n");
  const without = await stampFiles({ "t.yaml": yaml });
  const empty = await stampFiles({ "t.yaml": yaml, "solution.py": "" });
  assert.equal(without.stamp.content["file solution.py"], "missing");
  assert.notEqual(without.stamp.digest, empty.stamp.digest);
  const unset = await stampFiles({ "t.yaml": dockerTask("", ', extra_mounts: ["$NOWHERE/x:/x"]') });
  assert.equal(unset.stamp.content["folder $NOWHERE/x"], "missing");
});

test("what cannot be read is a problem with its name, and never an exception", async () => {
  const { stamp, stamps } = await stampFiles({ "t.yaml": noAgentTask("t", template) }, {}, async ({ path }) => {
    await mkdir(join(path, "templates"));
    await symlink("app", join(path, "templates/app"));
  });
  assert.equal(stamp.content["folder templates/app"], "unreadable");
  assert.deepEqual(stamps.problems, ["folder templates/app cannot be read: its links lead in a circle"]);
});

test("a repository is stamped by its address and commit", async () => {
  const sources = "sandbox: {template_sources: [{type: repo, url: 'https://example.org/r.git', commit: abc}]}\n";
  const { stamp } = await stampFiles({ "t.yaml": noAgentTask("t", sources) });
  assert.equal(stamp.content["repo https://example.org/r.git"], "abc");
  const moving = await stampFiles({ "t.yaml": noAgentTask("t", sources.replace(", commit: abc", "")) });
  assert.equal(moving.stamp.content["repo https://example.org/r.git"], "default branch");
});

test("rows of a dataset differ by what they say, and replicates have one stamp", async () => {
  const yaml = `task_id: d
description: d
initial_prompt: "Say \${row.word}"
agent: {type: codex}
dataset: {rows: [{id: a, word: one, note: x}, {id: b, word: two, note: x}, {id: c, word: one, note: y}]}
success_criteria: [{type: file_exists, description: e, path: a.txt}]
`;
  await using folder = await taskFolder({ "d.yaml": yaml });
  const { tasks, stamps } = await stampFolder(folder.path, {}, { overrides: { set: [], repeats: 2 } });
  const of = (key: string) => tasks.filter((task) => task.key === `default/d/${key}`).map((task) => stamps.of(task))[0];
  const [a, again, b, c] = ["a/00", "a/01", "b/00", "c/00"].map(of);
  assert.equal(a, again);
  assert.notEqual(a?.digest, b?.digest);
  assert.equal(a?.content.success_criteria, b?.content.success_criteria);
  // What no text of the task takes from a row changes nothing.
  assert.equal(a, c, "equal stamps are one object");
});

test("a task that was not stamped is an error of ours", async () => {
  const { tasks } = await stampFiles({ "t.yaml": dockerTask() });
  const stamps = await stampTasks([], { cwd: "/", env: {}, redact: (text) => text });
  const [task] = tasks;
  assert.ok(task);
  assert.throws(() => stamps.of(task), /has no stamp/);
});

test("a signal ends it", async () => {
  await assert.rejects(stampFiles({ "t.yaml": dockerTask() }, { signal: AbortSignal.abort() }), InterruptedError);
});

test("from whatever folder a run of a checkout is started, also from above it, what tasks mount is compared alike", async () => {
  await using folder = await taskFolder({
    "up/repo/.git/HEAD": "ref: refs/heads/main\n",
    "up/repo/evals/t.yaml": dockerTask("", ', extra_mounts: ["../data:/data", "../../shared:/shared", "../tiny:/tiny"]'),
    "up/repo/data/big.txt": "b".repeat(2000),
    "up/repo/tiny": "x",
    "up/shared/big.txt": "b".repeat(2000),
  });
  const from = async (place: string) => {
    const { tasks } = await stampFolder(folder.path, {}, { patterns: ["up/repo/evals"] });
    const stamps = await stampTasks(tasks, { cwd: join(folder.path, place), env: {}, redact: (text) => text });
    return stamps.of(tasks[0] ?? assert.fail("nothing is planned"));
  };
  const expected = await from("up/repo");
  for (const place of [".", "up", "up/repo/evals", "up/shared"]) assert.deepEqual(await from(place), expected, place);
});
