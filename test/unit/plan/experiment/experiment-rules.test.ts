import assert from "node:assert/strict";
import test from "node:test";
import { errorsOf, head, loaded, oneVariant, refused } from "./experiment-folder.ts";

// One test per rule of formats.md 3.1.

const missing = (name: string) => `required field '${name}' is missing`;

test("experiment_id is required and in kebab case", async () => {
  assert.deepEqual(await errorsOf(oneVariant), [`experiment_id: ${missing("experiment_id")}`]);
  for (const id of ["Compare", "a_b", "a--b", "-a", "a-", "a b", "''", "a.b", "é"]) {
    const [error] = await errorsOf(`experiment_id: ${id}\n${oneVariant}`);
    assert.match(error ?? "", /^experiment_id: found .*; an experiment_id is lower-case words and digits joined by '-'/, id);
  }
  assert.equal((await loaded(`experiment_id: a1-2b\n${oneVariant}`)).experimentId, "a1-2b");
});

test("description is text, and empty where it is not given", async () => {
  assert.equal((await loaded(head + oneVariant)).description, "");
  assert.equal((await loaded(`${head}description: Why\n${oneVariant}`)).description, "Why");
  assert.deepEqual(await errorsOf(`${head}description: null\n${oneVariant}`), ["description: found null, expected text"]);
});

test("defaults may be missing or null", async () => {
  for (const text of [head + oneVariant, `${head}defaults: null\n${oneVariant}`]) {
    const { defaults } = await loaded(text);
    assert.deepEqual(defaults, { template_sources: [], prompt_mutations: [], pre_run: [], post_run: [], path: ["defaults"] });
  }
});

test("variants are required, a list, and at least one", async () => {
  assert.deepEqual(await errorsOf(head), [`variants: ${missing("variants")}`]);
  assert.deepEqual(await errorsOf(`${head}variants: []\n`), ["variants: an experiment needs at least one variant"]);
  assert.deepEqual(await errorsOf(`${head}variants: a\n`), ["variants: found text 'a', expected a list"]);
});

test("a variant needs a variant_id, which is one path component", async () => {
  assert.deepEqual(await errorsOf(`${head}variants: [{}]\n`), [`variants[0].variant_id: ${missing("variant_id")}`]);
  assert.deepEqual(await errorsOf(`${head}variants: [{variant_id: 3}]\n`), ["variants[0].variant_id: found the number 3, expected text"]);
  assert.deepEqual(await errorsOf(`${head}variants: [{variant_id: " "}]\n`), ["variants[0].variant_id: must not be blank"]);
  for (const id of ["../x", "a/b", "'a\\b'"]) {
    const [error] = await errorsOf(`${head}variants: [{variant_id: ${id}}]\n`);
    assert.match(error ?? "", /; a variant_id holds no '\/' or '\\'$/);
  }
});

test("variant ids are unique, and every clash is named", async () => {
  const variants = ["a", "b", "a", "a"].map((id) => `  - variant_id: ${id}\n`).join("");
  assert.deepEqual(await errorsOf(`${head}variants:\n${variants}`), [
    "variants[2].variant_id: the variant_id 'a' is used twice: variants[0].variant_id has it too",
    "variants[3].variant_id: the variant_id 'a' is used twice: variants[0].variant_id has it too",
  ]);
});

test("variant ids that are one directory on some file system clash too", async () => {
  const clash = async (one: string, two: string) => await errorsOf(`${head}variants: [{variant_id: "${one}"}, {variant_id: "${two}"}]\n`);
  for (const [one, two] of [
    ["Fast", "fast"],
    ["\u00e9", "e\u0301"],
  ] as const) {
    const [error] = await clash(one, two);
    assert.match(error ?? "", /^variants\[1\]\.variant_id: .* would share one directory/);
  }
});

test("unknown fields are refused everywhere, with what may have been meant", async () => {
  const issues = await refused(
    [
      "experiment_id: compare",
      "desciption: d",
      "defaults:",
      "  repeat: 2",
      "  agent: {modell: m}",
      "  sandbox: {docker: {imag: x}, limit: {}}",
      "  run_limits: {max_turn: 3}",
      "  simulation: {persna: p}",
      "  template_sources: [{type: repo, url: u, comit: c}]",
      "  pre_run: [{command: c, fail_on_eror: true}]",
      "variants:",
      "  - variant_id: a",
      "    prompt_mutation: []",
      "    prompt_mutations: [{type: prefix, content: c, seperator: s}]",
    ].join("\n"),
  );
  const meant = issues.map(({ field, hint }) => [field, /did you mean '([^']*)'/.exec(hint ?? "")?.[1]]);
  assert.deepEqual(meant, [
    ["desciption", "description"],
    ["defaults.repeat", "repeats"],
    ["defaults.agent.modell", "model"],
    ["defaults.sandbox.docker.imag", "image"],
    ["defaults.sandbox.limit", "limits"],
    ["defaults.run_limits.max_turn", "max_turns"],
    ["defaults.simulation.persna", "persona"],
    ["defaults.template_sources[0].comit", "commit"],
    ["defaults.pre_run[0].fail_on_eror", "fail_on_error"],
    ["variants[0].prompt_mutation", "prompt_mutations"],
    ["variants[0].prompt_mutations[0].seperator", "separator"],
  ]);
});

test("an agent block may hold the fields of any agent type, because the type may come from another layer", async () => {
  const agent = "{sdk_options: {effort: high}, thinking_level: xhigh, variant: v, command: make, project_id: p, pure: no}";
  const { defaults } = await loaded(`${head}defaults:\n  agent: ${agent}\n${oneVariant}`);
  assert.deepEqual(defaults.agent, {
    command: "make",
    sdk_options: { effort: "high" },
    thinking_level: "xhigh",
    variant: "v",
    pure: false,
    project_id: "p",
  });
});

test("wrong values in partial blocks are told in the words of task files", async () => {
  const text = [
    "experiment_id: compare",
    "defaults:",
    "  agent: {type: claude_code, model: 3, thinking_level: huge, plugins: [{type: remote, path: p}], ignore_patterns: ['!']}",
    "  run_limits: {task_timeout: 5}",
    "  sandbox: {driver: podman}",
    "  simulation: {max_turns: 500, check_criteria: never}",
    "variants: [{variant_id: a, driver: dockr, agent: [], run_limits: {max_turns: 0}}]",
  ];
  assert.deepEqual(await errorsOf(text.join("\n")), [
    "defaults.agent.type: found text 'claude_code', expected one of none, command, claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate",
    "defaults.agent.model: found the number 3, expected text",
    "defaults.agent.thinking_level: found text 'huge', expected one of minimal, low, medium, high, off, xhigh, max",
    "defaults.agent.plugins[0].type: found text 'remote', expected local",
    "defaults.agent.ignore_patterns[0]: an ignore pattern must not be empty or a bare '!'",
    "defaults.run_limits.task_timeout: found the number 5, expected at least 30",
    "defaults.sandbox.driver: found text 'podman', expected one of tempdir, docker",
    "defaults.simulation.max_turns: found the number 500, expected at most 100",
    "defaults.simulation.check_criteria: found text 'never', expected one of end_of_dialog, every_turn, both",
    "variants[0].driver: found text 'dockr', expected one of tempdir, docker",
    "variants[0].agent: found an empty list, expected a mapping",
    "variants[0].run_limits.max_turns: found the number 0, expected at least 1",
  ]);
});

test("repeats is a whole number of at least 1, in defaults and in variants, or null", async () => {
  const of = async (defaults: string, variant: string) => {
    const text = `${head}defaults: {repeats: ${defaults}}\nvariants: [{variant_id: a, repeats: ${variant}}]\n`;
    const { defaults: low, variants } = await loaded(text);
    return [low.repeats, variants[0]?.repeats];
  };
  assert.deepEqual(await of("3", "null"), [3, undefined]);
  assert.deepEqual(await of("null", '"2"'), [undefined, 2]);
  assert.deepEqual(await errorsOf(`${head}defaults: {repeats: 0}\nvariants: [{variant_id: a, repeats: 1.5}]\n`), [
    "defaults.repeats: found the number 0, expected at least 1",
    "variants[0].repeats: found the number 1.5, expected a whole number",
  ]);
});

test("initial_prompt, initial_prompt_file and prompt_mutations of a variant exclude each other", async () => {
  const variant = async (fields: string) => await errorsOf(`${head}variants: [{variant_id: a, ${fields}}]\n`, { "p.md": "p" });
  const mutations = "prompt_mutations: [{type: prefix, content: c}]";
  assert.deepEqual(await variant("initial_prompt: p, initial_prompt_file: p.md"), [
    "variants[0].initial_prompt_file: initial_prompt and initial_prompt_file exclude each other",
  ]);
  assert.deepEqual(await variant(`initial_prompt: "", ${mutations}`), [
    "variants[0].prompt_mutations: initial_prompt and prompt_mutations exclude each other",
  ]);
  assert.deepEqual(await variant(`initial_prompt_file: p.md, ${mutations}`), [
    "variants[0].prompt_mutations: initial_prompt_file and prompt_mutations exclude each other",
  ]);
  const { variants } = await loaded(`${head}variants: [{variant_id: a, initial_prompt: p, prompt_mutations: []}]\n`);
  assert.equal(variants[0]?.initial_prompt, "p");
});

test("a prompt of a variant belongs to a variant: defaults have none", async () => {
  assert.deepEqual(await errorsOf(`${head}defaults: {initial_prompt: p}\n${oneVariant}`), [
    "defaults.initial_prompt: unknown field 'initial_prompt'",
  ]);
});

test("sandbox, pre_run and post_run belong to defaults: a variant has none, and the hint says what it has", async () => {
  const issues = await refused(`${head}variants: [{variant_id: a, sandbox: {}, pre_run: [], post_run: []}]\n`);
  assert.deepEqual(
    issues.map(({ message, hint }) => [message, hint]),
    [
      ["unknown field 'sandbox'", "only 'defaults' can have sandbox; a variant can have driver and template_sources"],
      ["unknown field 'pre_run'", "only 'defaults' can have pre_run"],
      ["unknown field 'post_run'", "only 'defaults' can have post_run"],
    ],
  );
});

test("a setting at the top of the file is told where it belongs", async () => {
  const [issue] = await refused(`${head}agent: {model: m}\n${oneVariant}`);
  assert.deepEqual([issue?.message, issue?.hint], ["unknown field 'agent'", "move it into 'defaults', or into a variant"]);
});

test("template sources have the rules of task files: a type, paths inside, at most one repo and that first", async () => {
  const sources = "[{path: x}, {type: starter_files, files: [{path: ../a, content: c}]}, {type: repo, url: u}]";
  assert.deepEqual(await errorsOf(`${head}defaults:\n  template_sources: ${sources}\n${oneVariant}`), [
    "defaults.template_sources[0].type: required field 'type' is missing",
    "defaults.template_sources[1].files[0].path: found text '../a'; must be a relative path without '..'",
  ]);
  assert.deepEqual(
    await errorsOf(`${head}defaults:\n  template_sources: [{type: starter_files, files: []}, {type: repo, url: u}]\n${oneVariant}`),
    ["defaults.template_sources[1]: a repo must be the first template source"],
  );
});

test("system_prompt and system_prompt_file of one block exclude each other", async () => {
  assert.deepEqual(
    await errorsOf(`${head}defaults: {agent: {system_prompt: s, system_prompt_file: s.md}}\n${oneVariant}`, { "s.md": "s" }),
    ["defaults.agent.system_prompt_file: system_prompt and system_prompt_file exclude each other"],
  );
});

test("checker_context of later versions is understood and refused as not supported yet", async () => {
  assert.deepEqual(await errorsOf(`${head}defaults: {checker_context: {api_route: {model: m}}}\n${oneVariant}`), [
    "defaults.checker_context: not supported yet: checker_context of an experiment",
  ]);
});
