import assert from "node:assert/strict";
import test from "node:test";
import { commandEnvironment } from "../../src/sandbox/environments/command-environment.ts";
import { checkStandIns, standIns, takeRecords } from "./cli-mocks/check-stand-ins.ts";
import { startTempdir } from "./golden/tempdir.ts";

test("stand-ins of recorded tools in a directory", async (t) => {
  await using sandbox = await startTempdir();
  await checkStandIns(t, sandbox);
});

test("responses are chosen by the rules of cli_called, the first that fits", async () => {
  await using sandbox = await startTempdir();
  const { run } = await standIns(sandbox, {
    record_cli: [
      {
        tool: "shop",
        exit_code: 2,
        stderr: "unknown\n",
        responses: [
          { when: { verb: "orders list", flags: { status: { matches_regex: "^(?:open|closed)$", flags: 2 } } }, stdout: "[]" },
          { when: { verb: "orders list" }, exit_code: 5, stdout: "all\0\n" },
          { when: { verb: "orders", positional: ["ü x"] }, stdout: "odd" },
          { when: { flags: { broken: { matches_regex: "(" } } } },
          { when: { flags: { slow: { matches_regex: "(x+x+)+y" } } } },
        ],
      },
    ],
  });
  const seen = [];
  for (const line of [
    "orders list --status OPEN",
    "orders list --status=other",
    "orders 'ü x'",
    "else",
    "--broken 1",
    `--slow ${"x".repeat(40)}`,
  ]) {
    const { code, stdout, stderr } = await run(`shop ${line}`, { NODE_OPTIONS: "--require /nowhere" });
    const [record] = await takeRecords(sandbox);
    seen.push([code, stdout, stderr, record?.exit, record?.rule ?? record?.rule_error ?? record?.sidecar_error]);
  }
  assert.deepEqual(seen, [
    [0, "[]", "", 0, 0],
    [5, "all\0\n", "", 5, 1],
    [0, "odd", "", 0, 2],
    [2, "", "unknown\n", 2, undefined],
    [2, "", "unknown\n", 2, "invalid regex '(': missing ), unterminated subpattern at position 0"],
    [2, "", "unknown\n", 2, "the pattern '(x+x+)+y' took longer than 1 s"],
  ]);
});

test("a stand-in whose rules cannot be asked says so in the record", async () => {
  await using sandbox = await startTempdir();
  const { run } = await standIns(sandbox, { record_cli: [{ tool: "shop", responses: [{ when: { verb: "a" } }] }] }, "/nowhere/node");
  assert.equal((await run("shop a")).code, 1);
  const [record] = await takeRecords(sandbox);
  assert.deepEqual([record?.argv, record?.sidecar_error], [["a"], "Node could not choose a response"]);
});

test("folders of mocks come after the stand-ins on PATH, and their plain files can be run", async () => {
  await using sandbox = await startTempdir();
  const script = Buffer.from("#!/bin/sh\necho mock of $0\n");
  await sandbox.putFiles([
    { kind: "file", path: "mocks/helper", mode: 0o644, content: script },
    { kind: "file", path: "mocks/.hidden", mode: 0o600, content: script },
    { kind: "file", path: "mocks/uip", mode: 0o644, content: script },
    { kind: "symlink", path: "mocks/link", target: "/etc/hostname" },
  ]);
  const { run, notes, dirs } = await standIns(sandbox, {
    mock_path_dirs: ["mocks", "later"],
    record_cli: [{ tool: "uip", stdout: "recorded" }],
  });
  assert.deepEqual(
    dirs,
    ["cli_mocks", "mocks", "later"].map((name) => `${sandbox.workDir}/${name}`),
  );
  assert.equal((await run("helper")).stdout, `mock of ${sandbox.workDir}/mocks/helper\n`);
  assert.equal((await run(".hidden")).code, 0);
  assert.equal((await run("uip")).stdout, "recorded");
  assert.deepEqual(notes, ["mock_path_dirs: later is not there yet"]);
});

test("recorded tools that the stand-ins use themselves are recorded once and do not call themselves", async () => {
  await using sandbox = await startTempdir();
  const tools = ["date", "od", "dd"];
  const { run } = await standIns(sandbox, { record_cli: tools.map((tool) => ({ tool, exit_code: 0 })) });
  for (const tool of tools) {
    assert.equal((await run(`${tool} 'a "b"' ${"x".repeat(2_000)}`)).code, 0);
    assert.deepEqual(
      (await takeRecords(sandbox)).map((record) => [record.tool, record.argv[0]]),
      [[tool, 'a "b"']],
    );
  }
});

test("a login shell that sets PATH anew still finds the stand-ins, and a PATH that has them stays as it is", async () => {
  await using sandbox = await startTempdir();
  const { run, dirs } = await standIns(sandbox, { record_cli: [{ tool: "uip" }], mock_path_dirs: ["mocks"] });
  const env = await commandEnvironment(sandbox, {
    python: undefined,
    taskDir: undefined,
    mockDirs: dirs,
    forAgent: true,
    signal: new AbortController().signal,
  });
  assert.ok(env.PATH?.startsWith(`${dirs.join(":")}:`));
  const pathIn = async (set: string) => (await run(`PATH=${set} exec /bin/bash -c 'echo "$PATH"'`, env)).stdout.trim();
  assert.equal(await pathIn("/usr/bin:/bin"), `${dirs.join(":")}:/usr/bin:/bin`);
  assert.equal(await pathIn(`/own:${dirs[0]}:/bin`), `/own:${dirs[0]}:/bin`);
  assert.equal((await run(`/bin/bash -lc 'command -v uip'`, env)).stdout.trim(), `${dirs[0]}/uip`);
});

test("a criterion's command finds stand-ins behind the sandbox's own programs, and is told not to record", async () => {
  await using sandbox = await startTempdir();
  await sandbox.putFiles([{ kind: "directory", path: "node_modules/.bin", mode: 0o755 }]);
  const { dirs } = await standIns(sandbox, { record_cli: [{ tool: "uip" }] });
  const env = await commandEnvironment(sandbox, {
    python: undefined,
    taskDir: undefined,
    mockDirs: dirs,
    signal: new AbortController().signal,
  });
  assert.ok(env.PATH?.startsWith(`${sandbox.workDir}/node_modules/.bin:${dirs.join(":")}:`));
  assert.deepEqual([env.EVALBATCH_CLI_UNRECORDED, env.BASH_ENV], ["1", undefined]);
});
