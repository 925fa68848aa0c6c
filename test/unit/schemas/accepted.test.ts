import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { taskSchema } from "../../../src/plan/schema/task-schema.ts";
import { parseYaml } from "../../../src/plan/yaml/yaml.ts";
import { root } from "../house/source-files.ts";
import { type Kind, marksIn, marksOn } from "./editor.ts";

const shared = process.env.EVALBATCH_SHARED ?? join(root, "../shared");
const corpus = join(shared, "corpus");
const skip = existsSync(corpus) ? false : `no corpus at ${corpus} (EVALBATCH_SHARED)`;

function marked(kind: Kind, files: readonly string[]): Record<string, readonly string[]> {
  const found = files.map((file) => [file, marksIn(kind, readFileSync(file, "utf8"))] as const);
  return Object.fromEntries(found.filter(([, marks]) => marks.length > 0));
}

test("an editor marks nothing in the examples", () => {
  const tasks = globSync("examples/*/task.yaml", { cwd: root }).map((file) => join(root, file));
  const experiments = globSync("examples/experiments/*.yaml", { cwd: root }).map((file) => join(root, file));
  assert.ok(tasks.length >= 16 && experiments.length >= 2);
  assert.deepEqual(marked("task", tasks), {});
  assert.deepEqual(marked("experiment", experiments), {});
});

test("an editor marks nothing in real task files", { skip }, () => {
  const files = globSync(join(corpus, "tasks/**/*.{yaml,yml}"));
  assert.ok(files.length >= 100);
  assert.deepEqual(marked("task", files), {});
});

test("an editor marks nothing in real experiments, but what the template leaves to be filled in", { skip }, () => {
  const files = globSync(join(corpus, "experiments/*.{yaml,yml}"));
  assert.ok(files.length >= 7);
  const found = marked("experiment", files);
  assert.deepEqual(
    Object.keys(found).map((file) => file.replaceAll("\\", "/").replace(/^.*\//, "")),
    ["skill-comparison-template.yaml"],
  );
  assert.match(Object.values(found).flat().join(), /^\/experiment_id: an experiment_id is [^/]*$/);
});

const minimal = "task_id: t\ndescription: d\ninitial_prompt: p\nsuccess_criteria:\n  - {type: file_exists, description: e, path: p}\n";

test("other names of fields and types are known", () => {
  const aliases = "agent: {type: claude-code, additional_ignore_patterns: ['*.tmp']}\n";
  assert.deepEqual(marksIn("task", minimal + aliases), []);
  assert.deepEqual(marksIn("task", `${minimal}  - {type: command_not_executed, description: e, tool_name: Bash}\n`), []);
  assert.deepEqual(marksIn("experiment", `experiment_id: e\nvariants:\n  - variant_id: a\n    ${aliases}`), []);
});

test("an agent without a type has the common fields, since the type may come from another layer", () => {
  assert.deepEqual(marksIn("task", `${minimal}agent: {model: m}\n`), []);
  assert.deepEqual(marksIn("task", `${minimal}agent: {}\n`), []);
  assert.deepEqual(marksIn("task", `${minimal}agent: {type: null, model: m}\n`), []);
  assert.deepEqual(marksIn("task", `${minimal}agent:\n`), []);
});

test("a task without a prompt is fine where nobody reads one", () => {
  const promptless = minimal.replace("initial_prompt: p\n", "");
  assert.deepEqual(marksIn("task", `${promptless}agent: {type: none}\n`), []);
  assert.deepEqual(marksIn("task", `${promptless}initial_prompt_file: p.md\n`), []);
  assert.deepEqual(marksIn("task", `${promptless}simulation: {enabled: yes, persona: a, goal: b}\n`), []);
});

/** Ways to write a number or a yes/no, in YAML 1.1 and in the lax reading of text (formats.md 0.3). */
const spellings = [
  ..."3 -3 0 1 +3 3.0 3.5 007 010 0o17 0x1F 0b101 1_000 1:30 1:30:15 1e3 1.0e3 1.0e+3 .5 5. 0.75 0.9 1.0 .inf -.inf .nan".split(" "),
  ..."'3'|'3.0'|' 3 '|'3.'|'1_000'|'0.5'|'.5'|'1e-3'|'inf'|'nan'|'yes'|'On'|'Y'|'T'|'1'|'0'|'OFF'".split("|"),
  ..."yes Yes YES no No on off y n t f true True TRUE false null ~ [] {} [3] maybe 3h 3s ten 1;5".split(" "),
];

const places = {
  "a whole number": (value: string) => `${minimal}expected_commands: ${value}\n`,
  "a whole number with bounds": (value: string) => `${minimal}pre_run: [{command: c, timeout: ${value}}]\n`,
  "a whole number that may be null": (value: string) => `${minimal}run_limits: {max_turns: ${value}}\n`,
  "a number": (value: string) =>
    `${minimal}    weight: ${value}\n`.replace(
      "{type: file_exists, description: e, path: p}\n",
      "type: file_exists\n    description: e\n    path: p\n",
    ),
  "a number with bounds": (value: string) => `${minimal}run_limits: {stop_early_gate_threshold: ${value}}\n`,
  "a yes/no": (value: string) => `${minimal}skip: ${value}\n`,
  "a yes/no that may be null": (value: string) => `${minimal}run_limits: {stop_early: ${value}}\n`,
};

test("what the loader takes for a number or a yes/no, an editor does not mark, although it reads YAML 1.2", () => {
  let taken = 0;
  for (const [place, write] of Object.entries(places)) {
    for (const value of spellings) {
      const parsed = parseYaml(new TextEncoder().encode(write(value)), "t.yaml");
      if (parsed.kind !== "parsed" || !taskSchema.safeParse(parsed.value).success) continue;
      // Nobody means a yes/no by a number, and an editor would offer it there.
      if (place.includes("number") && /^(?:yes|no|on|off|y|n|true|false)$/i.test(value)) continue;
      assert.deepEqual(marksIn("task", write(value)), [], `${place}: ${value}`);
      taken += 1;
    }
  }
  assert.ok(taken > 100, String(taken));
});

const taskWith = (fields: Readonly<Record<string, unknown>>) => ({
  task_id: "t",
  description: "d",
  initial_prompt: "p",
  success_criteria: [{ type: "file_exists", description: "e", path: "p" }],
  ...fields,
});

/** Texts that look like paths, ids and images, with everything that the rules are about. */
const pathLike = fc
  .array(fc.constantFrom("/", "\\", ".", "..", "a", "C:", "work", "evalbatch", "auto", " ", "\n", "*", "$A", ":", "ro"), { maxLength: 6 })
  .map((parts) => parts.join(""));

const ruledFields: Readonly<Record<string, (text: string) => Readonly<Record<string, unknown>>>> = {
  task_id: (text) => ({ task_id: text }),
  "agent.command": (text) => ({ agent: { type: "command", command: text } }),
  "docker.image": (text) => ({ sandbox: { docker: { image: text } } }),
  "docker.working_dir": (text) => ({ sandbox: { docker: { working_dir: text } } }),
  mock_path_dirs: (text) => ({ sandbox: { mock_path_dirs: [text] } }),
  mount_point: (text) => ({ sandbox: { template_sources: [{ type: "template_dir", path: "p", mount_point: text }] } }),
  include_patterns: (text) => ({ sandbox: { template_sources: [{ type: "template_dir", path: "p", include_patterns: [text] }] } }),
  starter_files: (text) => ({ sandbox: { template_sources: [{ type: "starter_files", files: [{ path: text, content: "" }] }] } }),
  "reference.directory": (text) => ({ reference: { directory: text } }),
};

test("the rules that are written for editors never mark what the loader takes", () => {
  for (const [name, fields] of Object.entries(ruledFields)) {
    fc.assert(
      fc.property(pathLike, (text) => {
        const task = taskWith(fields(text));
        if (!taskSchema.safeParse(task).success) return;
        assert.deepEqual(marksOn("task", task), [], name);
      }),
      { numRuns: 300 },
    );
  }
});

test("an editor knows what our golden tasks hold, but for the agent that was a plug-in of theirs", () => {
  const files = globSync("test/fixtures/plan/dataset/upstream/*.yaml", { cwd: root }).map((file) => join(root, file));
  assert.ok(files.length > 5);
  const marks = Object.values(marked("task", files)).flat();
  assert.deepEqual(
    marks.filter((mark) => !mark.startsWith("/agent/type: must be equal to one of")),
    [],
  );
});
