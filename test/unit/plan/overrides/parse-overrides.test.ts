import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { nest } from "../../../../src/plan/overrides/check-value.ts";
import { inputNames, parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";
import { problemsOf, problemsOfSet } from "./flags-of.ts";

const fieldsOf = (...set: string[]) => {
  const { agent, run_limits, sandbox } = parseOverrides({ set });
  return { agent, run_limits, sandbox };
};

test("a path is split at the first '=', and dots lead into nested settings", () => {
  assert.deepEqual(fieldsOf("sandbox.docker.build.args.URL=http://x?a=b", "sandbox.docker.network=none", "sandbox.limits.max_cpus=1.5"), {
    agent: {},
    run_limits: {},
    sandbox: { docker: { build: { args: { URL: "http://x?a=b" } }, network: "none" }, limits: { max_cpus: 1.5 } },
  });
});

test("the roots are agent, run_limits and sandbox; a root itself cannot be set", () => {
  assert.deepEqual(problemsOfSet("run_limits={max_turns: 5}"), [
    "-D run_limits: 'run_limits' is a group of settings, expected one of its fields (for example run_limits.max_turns)",
  ]);
  assert.deepEqual(problemsOfSet("dataset.path=x"), [
    "-D dataset.path: 'dataset' of a task cannot be set here, only fields of agent, run_limits and sandbox",
  ]);
});

for (const [wrong, meant] of [
  ["max_turns", "run_limits.max_turns"],
  ["max_turn", "run_limits.max_turns"],
  ["driver", "sandbox.driver"],
  ["model", "agent.model"],
  ["image", "sandbox.docker.image"],
  ["docker.image", "sandbox.docker.image"],
  ["max_memory_mb", "sandbox.limits.max_memory_mb"],
  ["sandbox.image", "sandbox.docker.image"],
  ["agent.max_turns", "run_limits.max_turns"],
  ["agnt.model", "agent.model"],
  ["agnt.modle", "agent.model"],
  ["run-limits.max-turns", "run_limits.max_turns"],
  ["sandbox.dokcer.netwrok", "sandbox.docker.network"],
  ["sandbox.docker.build.arg.X", "sandbox.docker.build.args.X"],
] as const) {
  test(`for ${wrong} it asks whether ${meant} was meant`, () => {
    const [problem = "", ...others] = problemsOfSet(`${wrong}=x`);
    assert.deepEqual(others, []);
    assert.ok(problem.includes(`did you mean '${meant}'?`), problem);
  });
}

test("an unknown field is told with those that are allowed at its level", () => {
  assert.deepEqual(problemsOfSet("sandbox.limits.zzz=1"), [
    "-D sandbox.limits.zzz: unknown field 'zzz' of sandbox.limits (allowed: timeout, max_memory_mb, max_cpus, max_pids, max_disk_mb)",
  ]);
});

test("names that every object has are unknown fields, and __proto__ is refused everywhere", () => {
  for (const name of ["constructor", "toString", "hasOwnProperty"]) assert.match(problemsOfSet(`agent.${name}=1`).join(), /unknown field/);
  for (const path of ["agent.__proto__.x", "agent.claude_settings.__proto__.x", "__proto__.x"])
    assert.match(problemsOfSet(`${path}=1`).join(), /'__proto__' cannot be the name of a field/);
  assert.match(problemsOfSet("agent.claude_settings={__proto__: {a: 1}}").join(), /the key '__proto__' is not allowed/);
});

test("nothing is below a single value or a list", () => {
  assert.deepEqual(problemsOfSet("sandbox.docker.image.x=1", "agent.allowed_tools.0=Bash", "sandbox.docker.build.args.a.b=x"), [
    "-D sandbox.docker.image.x: 'sandbox.docker.image' is a single value and has no fields",
    "-D agent.allowed_tools.0: 'agent.allowed_tools' is a list and has no fields (give the whole list: [a, b])",
    "-D sandbox.docker.build.args.a.b: 'sandbox.docker.build.args.a' is a single value and has no fields",
  ]);
});

test("free mappings take any key, at any depth where their values are free as well", () => {
  assert.deepEqual(
    fieldsOf("agent.claude_settings.permissions.allow=[Read]", "agent.claude_settings.env.A=1", "agent.sdk_options.effort=high"),
    {
      agent: { claude_settings: { permissions: { allow: ["Read"] }, env: { A: 1 } }, sdk_options: { effort: "high" } },
      run_limits: {},
      sandbox: {},
    },
  );
});

test("fields of all types of agent are known while the type is not; a known type has only its own", () => {
  assert.deepEqual(problemsOfSet("agent.thinking_level=xhigh", "agent.sdk_options.anything=1"), []);
  const only = "'thinking_level' is a field of antigravity and gemini and pi agents, not of codex agents";
  assert.deepEqual(problemsOf({ set: ["agent.thinking_level=low"], type: "codex" }), [`-D agent.thinking_level: ${only}`]);
  assert.deepEqual(problemsOfSet("agent.thinking_level=low", "agent.type=codex"), [`-D agent.thinking_level: ${only}`]);
  assert.match(problemsOfSet("agent.type=antigravity", "agent.thinking_level=xhigh").join(), /expected one of minimal, low, medium, high/);
});

test("sdk_options are those of claude-code: its own keys, and none that the harness sets", () => {
  const claude = (set: string) => problemsOf({ set: [set], type: "claude-code" });
  assert.deepEqual(claude("agent.sdk_options={effort: high}"), []);
  assert.match(claude("agent.sdk_options.nonsense=1").join(), /'nonsense' is no SDK option/);
  assert.match(claude("agent.sdk_options={hooks: 1}").join(), /'hooks' is set by the harness/);
});

test("a value is checked with the coercion of task files and kept as it was given", () => {
  const given = ["run_limits.max_turns='5'", "run_limits.task_timeout=60.0", "run_limits.stop_early=yes", "run_limits.max_usd=true"];
  assert.deepEqual(fieldsOf(...given).run_limits, { max_turns: "5", task_timeout: 60, stop_early: "yes", max_usd: true });
});

test("text that looks like a number, and a list of one, come with how to write them for this shell or input", () => {
  assert.deepEqual(problemsOfSet("agent.model=1.0"), [
    `-D agent.model: found the number 1, expected text (text that looks like something else is put in quotes: -D 'agent.model="1.0"')`,
  ]);
  assert.deepEqual(problemsOf({ set: ["agent.allowed_tools=it's"] }, inputNames), [
    `input "set": agent.allowed_tools: found text 'it\\'s', expected a list (a list is written in brackets: agent.allowed_tools=[it's])`.replace(
      "\\",
      "",
    ),
  ]);
});

test("all problems of a nested value are told, each at its place", () => {
  assert.deepEqual(problemsOfSet("sandbox.docker={netwrok: none, image: 5}"), [
    "-D sandbox.docker: image: found the number 5, expected text (put it in quotes to make it text)",
    "-D sandbox.docker: unknown field 'netwrok' (did you mean 'network'? allowed: image, dockerfile_path, build, network, working_dir, env_passthrough, env_passthrough_extra, extra_mounts)",
  ]);
});

test("the same path twice, a path and its flag, and a path and what holds it are usage errors", () => {
  assert.deepEqual(problemsOfSet("run_limits.max_turns=5", "run_limits.max_turns=5"), [
    "'run_limits.max_turns' is set by -D more than once (set it once)",
  ]);
  assert.deepEqual(problemsOf({ set: ["agent.model=a", "sandbox.driver=docker"], model: "b", driver: "docker" }), [
    "'agent.model' is set by both --model and -D (set it once)",
    "'sandbox.driver' is set by both --driver and -D (set it once)",
  ]);
  const both = "is set, and 'sandbox.docker', which holds it, is set as well (set the fields one by one, or the whole)";
  assert.deepEqual(problemsOfSet("sandbox.docker={}", "sandbox.docker.image=x"), [`'sandbox.docker.image' ${both}`]);
  assert.deepEqual(problemsOfSet("sandbox.docker.image=x", "sandbox.docker={}"), [`'sandbox.docker.image' ${both}`]);
  assert.deepEqual(problemsOfSet("agent.ignore_patterns=[a]", "agent.additional_ignore_patterns=[a]").length, 1);
});

test("paths that only begin alike do not clash", () => {
  assert.deepEqual(problemsOfSet("sandbox.docker.env_passthrough=[A]", "sandbox.docker.env_passthrough_extra=[B]"), []);
  assert.deepEqual(problemsOfSet("agent.system_prompt=a", "agent.system_prompt_file=null"), []);
});

test("-D agent.type beats --type without a clash", () => {
  const overrides = parseOverrides({ set: ["agent.type=none"], type: "codex" });
  assert.deepEqual(overrides.agent, { type: "none" });
  assert.equal(overrides.detailOf("agent.type"), "-D agent.type");
});

test("the flags are short for paths, and the lineage names them as 0.8.2 does", () => {
  const overrides = parseOverrides({ set: [], type: "codex", model: "1.0", driver: "docker", repeats: 3, image: "node:24" });
  assert.deepEqual(
    { ...overrides, detailOf: undefined },
    {
      agent: { type: "codex", model: "1.0" },
      run_limits: {},
      sandbox: { driver: "docker" },
      repeats: 3,
      image: "node:24",
      detailOf: undefined,
    },
  );
  assert.deepEqual(["agent.type", "agent.model", "sandbox.driver", "sandbox.docker"].map(overrides.detailOf), [
    "--type",
    "-D agent.model",
    "-D sandbox.driver",
    "-D sandbox.docker",
  ]);
});

test("an unknown type, an empty model and too many repeats are usage errors", () => {
  assert.deepEqual(problemsOf({ set: [], type: "claud-code", model: " ", repeats: 100 }), [
    "--type: found 'claud-code', expected one of claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate, command, none (did you mean 'claude-code'?)",
    "--model: the name of the model is empty (for no model at all: -D agent.model=null)",
    "--repeats: found 100, expected a whole number from 1 to 99",
  ]);
  assert.deepEqual(problemsOf({ set: [], repeats: 99 }), []);
  assert.match(problemsOfSet("agent.type=null").join(), /found null, expected one of/);
});

test("an image that no engine can read is a usage error, since it would be one of every task", () => {
  assert.deepEqual(problemsOf({ set: [], image: "ghcr.io/team/image:1.2" }), []);
  for (const image of ["A B", "", "$(id)", "-a"])
    assert.deepEqual(problemsOf({ set: [], image }), [
      `--image: '${image}' is no image reference (write [registry/]name[:tag], in lower case)`,
    ]);
});

test("all problems are told at once, in the words of the action where it is the action", () => {
  assert.deepEqual(
    problemsOf({ set: ["nope", "max_turns=5", "agent.model=a", "repeats=2"], model: "b", type: "x", repeats: 0 }, inputNames),
    [
      "input \"set\": nope: expected PATH=VALUE, found no '=' (for example run_limits.max_turns=5)",
      "input \"set\": max_turns: 'max_turns' is no group of settings, expected agent, run_limits or sandbox (did you mean 'run_limits.max_turns'?)",
      'input "set": repeats: \'repeats\' is no field of agent, run_limits or sandbox (use input "repeats")',
      "input \"agent\": found 'x', expected one of claude-code, codex, antigravity, gemini, opencode, pi, qwen, copilot, delegate, command, none",
      '\'agent.model\' is set by both input "model" and input "set" (set it once)',
      'input "repeats": found 0, expected a whole number from 1 to 99',
    ],
  );
});

test("foreign text is shown in quotes, cut, and without what a terminal obeys", () => {
  const [problem = ""] = problemsOfSet(`\u001b[31m${"x".repeat(500)}=1`);
  assert.ok(!problem.includes("\u001b"), problem);
  assert.ok(problem.length < 400, problem);
});

test("neither a deep path nor a deep value ends in anything but a message", () => {
  assert.deepEqual(
    problemsOfSet(`agent.claude_settings${".a".repeat(50_000)}=1`).map((problem) => problem.slice(-38)),
    ["the path has 50002 names, more than 50"],
  );
  for (const depth of [500, 5_000, 200_000]) problemsOfSet(`agent.claude_settings=${"{a: ".repeat(depth)}1${"}".repeat(depth)}`);
  for (const depth of [500, 200_000]) problemsOfSet(`agent.claude_settings.x=${"[".repeat(depth)}${"]".repeat(depth)}`);
});

test("anything at all is either taken or refused as wrong usage", () => {
  const word = fc.constantFrom(
    "agent",
    "sandbox",
    "docker",
    "run_limits",
    "max_turns",
    "type",
    "",
    "a b",
    "__proto__",
    "claude_settings",
    "=",
  );
  const path = fc.array(word, { maxLength: 5 }).map((words) => words.join("."));
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string(),
          fc.tuple(path, fc.json()).map(([left, right]) => `${left}=${right}`),
        ),
        { maxLength: 4 },
      ),
      (set) => {
        problemsOf({ set });
      },
    ),
  );
});

test("every pair of a path and a valid value comes back at its place", () => {
  const key = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/);
  const scalar = fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
  const value = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 4 }),
    fc.dictionary(key, fc.array(scalar, { maxLength: 3 }), { maxKeys: 4, noNullPrototype: true }),
  );
  fc.assert(
    fc.property(fc.uniqueArray(key, { minLength: 1, maxLength: 5 }), value, (keys, given) => {
      const { agent } = parseOverrides({ set: [`agent.claude_settings.${keys.join(".")}=${JSON.stringify(given)}`] });
      assert.deepEqual(agent, { claude_settings: nest(keys, given) });
    }),
  );
});
