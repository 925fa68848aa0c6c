import { testRules } from "./rule-table.ts";

const sandbox = (more: object) => ({ sandbox: more });
const docker = (more: object) => sandbox({ driver: "docker", docker: more });
const limits = (more: object) => sandbox({ limits: more });
const sources = (...template_sources: readonly object[]) => sandbox({ template_sources });
const folder = (more: object) => sources({ type: "template_dir", path: "x", ...more });
const repo = { type: "repo", url: "https://example.org/r.git" };
const files = { type: "starter_files", files: [] };
const recorded = (more: object) => sandbox({ record_cli: [{ tool: "uip", ...more }] });

testRules("1.4", [
  {
    rule: "the driver is tempdir or docker",
    accepted: [sandbox({ driver: "tempdir" }), sandbox({})],
    refused: [
      [sandbox({ driver: "podman" }), "sandbox.driver: found text 'podman', expected one of tempdir, docker"],
      [sandbox({ driver: null }), "sandbox.driver: found null, expected one of tempdir, docker"],
    ],
  },
  {
    rule: "python and node are null or have env_packages",
    accepted: [sandbox({ python: null, node: null }), sandbox({ python: {}, node: { env_packages: ["x"] } })],
    refused: [
      [sandbox({ python: { env_packages: "x" } }), "sandbox.python.env_packages: found text 'x', expected a list"],
      [sandbox({ node: true }), "sandbox.node: found the boolean true, expected a mapping"],
      [sandbox({ python: { packages: [] } }), "sandbox.python.packages: unknown field 'packages'"],
    ],
  },
  {
    rule: "the command limit is above 0 seconds",
    accepted: [limits({ timeout: 1 })],
    refused: [[limits({ timeout: 0 }), "sandbox.limits.timeout: found the number 0, expected more than 0"]],
  },
  {
    rule: "memory is a whole number of megabytes",
    accepted: [limits({ max_memory_mb: 512 })],
    refused: [[limits({ max_memory_mb: "512m" }), "sandbox.limits.max_memory_mb: found text '512m', expected a number"]],
  },
  {
    rule: "max_cpus is above 0",
    accepted: [limits({ max_cpus: 0.5 })],
    refused: [[limits({ max_cpus: 0 }), "sandbox.limits.max_cpus: found the number 0, expected more than 0"]],
  },
  {
    rule: "max_pids is above 0",
    accepted: [limits({ max_pids: 1 })],
    refused: [[limits({ max_pids: 0 }), "sandbox.limits.max_pids: found the number 0, expected more than 0"]],
  },
  {
    rule: "mock_path_dirs stay inside of the sandbox",
    accepted: [sandbox({ mock_path_dirs: ["m", "./a/b", "."] }), sandbox({ mock_path_dirs: null })],
    refused: [
      [
        sandbox({ mock_path_dirs: ["/m"] }),
        "sandbox.mock_path_dirs[0]: found text '/m'; must be a path inside of the sandbox: relative, without '..'",
      ],
      [
        sandbox({ mock_path_dirs: ["a/../../m"] }),
        "sandbox.mock_path_dirs[0]: found text 'a/../../m'; must be a path inside of the sandbox: relative, without '..'",
      ],
      [
        sandbox({ mock_path_dirs: ["C:\\m"] }),
        "sandbox.mock_path_dirs[0]: found text 'C:\\m'; must be a path inside of the sandbox: relative, without '..'",
      ],
      [sandbox({ mock_path_dirs: [""] }), "sandbox.mock_path_dirs[0]: must be a path inside of the sandbox: relative, without '..'"],
    ],
  },
  {
    rule: "an ignore pattern is not empty and no bare !",
    accepted: [sandbox({ ignore_patterns: ["x", "!.git"] })],
    refused: [
      [
        sandbox({ ignore_patterns: [" "] }),
        "sandbox.ignore_patterns[0]: found text ' '; an ignore pattern must not be empty or a bare '!'",
      ],
    ],
  },
  {
    rule: "an image has a name",
    accepted: [docker({ image: "alpine:3" })],
    refused: [
      [docker({ image: " " }), "sandbox.docker.image: found text ' '; the image must not be empty"],
      [docker({ image: null }), "sandbox.docker.image: found null, expected text"],
    ],
  },
  {
    rule: "the network is bridge, none, or one of the engine's that is no mode of its own",
    accepted: [
      docker({ network: "none" }),
      docker({ network: "bridge" }),
      docker({ network: "evals_internal-1.x" }),
      docker({ network: "constructor" }),
    ],
    refused: [
      [
        docker({ network: "host" }),
        "sandbox.docker.network: 'host' is refused: the host's network would be open to the task; name a network that was made for it",
      ],
      [
        docker({ network: "container:abc" }),
        "sandbox.docker.network: found text 'container:abc'; must be 'bridge', 'none' or the name of a network that the engine has",
      ],
      [
        docker({ network: "" }),
        "sandbox.docker.network: found empty text; must be 'bridge', 'none' or the name of a network that the engine has",
      ],
      [docker({ network: "default" }), "sandbox.docker.network: 'default' is refused: write 'bridge' for the engine's default network"],
      [
        docker({ network: "llm_only" }),
        "sandbox.docker.network: 'llm_only' is refused: there is no filter for what leaves a sandbox; name a network that was made for it, such as an internal one",
      ],
    ],
  },
  {
    rule: "working_dir is auto or an absolute path outside of our own",
    accepted: [docker({ working_dir: "auto" }), docker({ working_dir: "/app" }), docker({ working_dir: "/workshop" })],
    refused: [
      [
        docker({ working_dir: "/" }),
        "sandbox.docker.working_dir: must be 'auto' or an absolute path other than '/', and not '/work' or '/evalbatch' or below them",
      ],
      [
        docker({ working_dir: "/work" }),
        "sandbox.docker.working_dir: must be 'auto' or an absolute path other than '/', and not '/work' or '/evalbatch' or below them",
      ],
      [
        docker({ working_dir: "/work/x" }),
        "sandbox.docker.working_dir: found text '/work/x'; must be 'auto' or an absolute path other than '/', and not '/work' or '/evalbatch' or below them",
      ],
      [
        docker({ working_dir: "app" }),
        "sandbox.docker.working_dir: found text 'app'; must be 'auto' or an absolute path other than '/', and not '/work' or '/evalbatch' or below them",
      ],
    ],
  },
  {
    rule: "build arguments are texts",
    accepted: [docker({ build: { args: { A: "$X" } } })],
    refused: [
      [docker({ build: { args: { A: 1 } } }), "sandbox.docker.build.args.A: found the number 1, expected text"],
      [docker({ build: { args: ["A=1"] } }), "sandbox.docker.build.args: found a list of 1, expected a mapping"],
    ],
  },
  {
    rule: "buildkit is true, false or null",
    accepted: [docker({ build: { buildkit: true } }), docker({ build: { buildkit: null } })],
    refused: [[docker({ build: { buildkit: "auto" } }), "sandbox.docker.build.buildkit: found text 'auto', expected true or false"]],
  },
  {
    rule: "secrets and extra_args of a build are lists of texts",
    accepted: [docker({ build: { secrets: ["id=a"], extra_args: ["--pull"] } })],
    refused: [
      [docker({ build: { secrets: "id=a" } }), "sandbox.docker.build.secrets: found text 'id=a', expected a list"],
      [docker({ build: { extra_args: [1] } }), "sandbox.docker.build.extra_args[0]: found the number 1, expected text"],
    ],
  },
  {
    rule: "both lists of passed variables are lists of texts",
    accepted: [docker({ env_passthrough: [], env_passthrough_extra: ["A"] })],
    refused: [
      [docker({ env_passthrough: "A" }), "sandbox.docker.env_passthrough: found text 'A', expected a list"],
      [docker({ env_passthrough_extra: null }), "sandbox.docker.env_passthrough_extra: found null, expected a list"],
    ],
  },
  {
    rule: "a mount is source:/target with :ro or :rw at most",
    accepted: [docker({ extra_mounts: ["/a:/b", "~/a:/b:ro", "C:\\a:/b:rw", "$A:$B"] })],
    refused: [
      [
        docker({ extra_mounts: ["/a"] }),
        "sandbox.docker.extra_mounts[0]: found text '/a'; must be 'source:/absolute/target' with ':ro' or ':rw' at most",
      ],
      [
        docker({ extra_mounts: ["/a:b"] }),
        "sandbox.docker.extra_mounts[0]: found text '/a:b'; must be 'source:/absolute/target' with ':ro' or ':rw' at most",
      ],
      [
        docker({ extra_mounts: ["/a:/b:z"] }),
        "sandbox.docker.extra_mounts[0]: found text '/a:/b:z'; must be 'source:/absolute/target' with ':ro' or ':rw' at most",
      ],
    ],
  },
  {
    rule: "a template source has a type",
    refused: [
      [sources({ path: "x" }), "sandbox.template_sources[0].type: required field 'type' is missing"],
      [
        sources({ type: "git", url: "x" }),
        "sandbox.template_sources[0].type: found text 'git', expected one of template_dir, starter_files, repo",
      ],
    ],
  },
  {
    rule: "a mount point is a relative path without ..",
    accepted: [folder({}), folder({ mount_point: "a/b" })],
    refused: [
      [folder({ mount_point: "" }), "sandbox.template_sources[0].mount_point: must be a relative path without '..'"],
      [folder({ mount_point: "/a" }), "sandbox.template_sources[0].mount_point: found text '/a'; must be a relative path without '..'"],
      [folder({ mount_point: "a/.." }), "sandbox.template_sources[0].mount_point: found text 'a/..'; must be a relative path without '..'"],
    ],
  },
  {
    rule: "include patterns are relative without ..",
    accepted: [folder({ include_patterns: ["./*.py", "a/*"] })],
    refused: [
      [folder({ include_patterns: [""] }), "sandbox.template_sources[0].include_patterns[0]: must be a relative path without '..'"],
      [
        folder({ include_patterns: ["../x"] }),
        "sandbox.template_sources[0].include_patterns[0]: found text '../x'; must be a relative path without '..'",
      ],
    ],
  },
  {
    rule: "starter files are given with path and content",
    accepted: [sources({ ...files, files: [{ path: "a", content: "" }] })],
    refused: [
      [sources({ type: "starter_files" }), "sandbox.template_sources[0].files: required field 'files' is missing"],
      [sources({ ...files, files: [{ path: "a" }] }), "sandbox.template_sources[0].files[0].content: required field 'content' is missing"],
      [
        sources({ ...files, files: [{ path: "/a", content: "" }] }),
        "sandbox.template_sources[0].files[0].path: found text '/a'; must be a relative path without '..'",
      ],
    ],
  },
  {
    rule: "a repo is the first template source and the only one",
    accepted: [sources(repo, files), sources({ ...repo, commit: null })],
    refused: [
      [sources(files, repo), "sandbox.template_sources[1]: a repo must be the first template source"],
      [sources(repo, repo), "sandbox.template_sources[1]: at most one template source may be a repo"],
    ],
  },
  {
    rule: "a recorded tool has a plain name that is none of the shells and interpreters",
    accepted: [recorded({}), recorded({ tool: "a.b+c_d-1" })],
    refused: [
      [
        recorded({ tool: "a b" }),
        "sandbox.record_cli[0].tool: found text 'a b'; a tool is a plain name of letters, digits, '.', '_', '+' and '-'",
      ],
      [
        recorded({ tool: "" }),
        "sandbox.record_cli[0].tool: found empty text; a tool is a plain name of letters, digits, '.', '_', '+' and '-'",
      ],
      ...["python", "python3", "py", "env", "sh", "bash", "zsh", "cmd", "node", "uv", "git"].map(
        (tool) =>
          [
            recorded({ tool }),
            `sandbox.record_cli[0].tool: found text '${tool}'; the tool must not be one of python, python3, py, env, sh, bash, zsh, cmd, node, uv, git`,
          ] as const,
      ),
    ],
  },
  {
    rule: "a recorded tool ends with 0 to 255",
    accepted: [recorded({ exit_code: 0 }), recorded({ exit_code: 255 })],
    refused: [
      [recorded({ exit_code: 256 }), "sandbox.record_cli[0].exit_code: found the number 256, expected at most 255"],
      [recorded({ exit_code: -1 }), "sandbox.record_cli[0].exit_code: found the number -1, expected at least 0"],
      [
        recorded({ responses: [{ when: { verb: "x" }, exit_code: 256 }] }),
        "sandbox.record_cli[0].responses[0].exit_code: found the number 256, expected at most 255",
      ],
    ],
  },
  {
    rule: "a response says when it is given",
    accepted: [recorded({ responses: [{ when: { flags: { output: "json" } }, stdout: "{}" }] })],
    refused: [
      [recorded({ responses: [{ stdout: "{}" }] }), "sandbox.record_cli[0].responses[0].when: required field 'when' is missing"],
      [
        recorded({ responses: [{ when: { verb: "a", verb_any_of: ["b"] } }] }),
        "sandbox.record_cli[0].responses[0].when.verb_any_of: 'verb' and 'verb_any_of' exclude each other",
      ],
      [recorded({ responses: [{ when: { tool: "uip" } }] }), "sandbox.record_cli[0].responses[0].when.tool: unknown field 'tool'"],
    ],
  },
]);

const run = (run_limits: object) => ({ run_limits });

testRules("1.5", [
  ...(["max_turns", "expected_turns", "max_input_tokens", "max_output_tokens", "max_total_tokens"] as const).map((name) => ({
    rule: `${name} is at least 1`,
    accepted: [run({ [name]: 1 }), run({ [name]: null })],
    refused: [[run({ [name]: 0 }), `run_limits.${name}: found the number 0, expected at least 1`] as const],
  })),
  {
    rule: "task_timeout is at least 30 seconds",
    accepted: [run({ task_timeout: 30 })],
    refused: [[run({ task_timeout: 29 }), "run_limits.task_timeout: found the number 29, expected at least 30"]],
  },
  {
    rule: "turn_timeout is at least 10 seconds",
    accepted: [run({ turn_timeout: 10 })],
    refused: [[run({ turn_timeout: 9 }), "run_limits.turn_timeout: found the number 9, expected at least 10"]],
  },
  {
    rule: "max_usd is above 0",
    accepted: [run({ max_usd: 0.01 })],
    refused: [
      [run({ max_usd: 0 }), "run_limits.max_usd: found the number 0, expected more than 0"],
      [run({ max_usd: "$1" }), "run_limits.max_usd: found text '$1', expected a number"],
    ],
  },
  {
    rule: "the counting of cached tokens is switched by booleans",
    accepted: [run({ count_cached_input: "on", count_cache_creation: 1 })],
    refused: [[run({ count_cached_input: "some" }), "run_limits.count_cached_input: found text 'some', expected true or false"]],
  },
  {
    rule: "stop_early is true (with stop_when), false or null",
    accepted: [run({ stop_early: true }), run({ stop_early: false }), run({ stop_early: null })],
    refused: [[run({ stop_early: {} }), "run_limits.stop_early: found a mapping, expected true or false"]],
  },
  {
    rule: "stop_early_gate_threshold is 0 to 1",
    accepted: [run({ stop_early_gate_threshold: 0 }), run({ stop_early_gate_threshold: 1 })],
    refused: [
      [run({ stop_early_gate_threshold: 1.01 }), "run_limits.stop_early_gate_threshold: found the number 1.01, expected at most 1"],
    ],
  },
  {
    rule: "limits are a mapping or null",
    accepted: [{ run_limits: null }],
    refused: [[{ run_limits: [] }, "run_limits: found an empty list, expected a mapping"]],
  },
]);
