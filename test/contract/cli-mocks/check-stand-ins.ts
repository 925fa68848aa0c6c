import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { z } from "zod";
import { responderSource } from "../../../src/criteria/cli/responder-source.ts";
import { sandboxSchema } from "../../../src/plan/schema/sandbox-schema.ts";
import { setUpMocks } from "../../../src/sandbox/cli-mocks/set-up-mocks.ts";
import { ownPath } from "../../../src/sandbox/environments/command-environment.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";

const signal = new AbortController().signal;
const log = "cli_mocks/calls.jsonl";

const recordSchema = z.strictObject({
  ts: z.iso.datetime(),
  tool: z.string(),
  argv: z.array(z.string()),
  exit: z.int(),
  rule: z.int().optional(),
  rule_error: z.string().optional(),
  sidecar_error: z.string().optional(),
});

/** Puts stand-ins in place, and gives a function that runs a line with them on PATH. */
export async function standIns(sandbox: Sandbox, config: Readonly<Record<string, unknown>>, hostNode = process.execPath) {
  const { record_cli, mock_path_dirs } = sandboxSchema.parse(config);
  const path = await ownPath(sandbox, signal);
  const notes: string[] = [];
  const dirs = await setUpMocks(sandbox, {
    recorded: record_cli ?? [],
    mockDirs: mock_path_dirs ?? [],
    path,
    responderSource,
    hostNode,
    log: (line) => void notes.push(line),
    signal,
  });
  const run = async (shell: string, env: Readonly<Record<string, string>> = {}) => {
    const result = await sandbox.exec({
      command: { shell },
      env: { PATH: [...dirs, path].join(":"), ...env },
      timeoutMs: 240_000,
      maxOutputBytes: 1_000_000,
      signal,
    });
    assert.equal(result.kind, "exited");
    return { code: result.kind === "exited" ? result.exitCode : -1, stdout: result.output.stdout, stderr: result.output.stderr };
  };
  return { run, notes, dirs };
}

/** The records of the log since it was last read. */
export async function takeRecords(sandbox: Sandbox): Promise<z.output<typeof recordSchema>[]> {
  const read = await sandbox.readFile(log, 50_000_000);
  assert.equal(read.kind, "read");
  const text = new TextDecoder("utf-8", { fatal: true }).decode(read.kind === "read" ? read.bytes : new Uint8Array());
  const result = await sandbox.exec({ command: { shell: `: >${log}` }, timeoutMs: 60_000, maxOutputBytes: 1_000, signal });
  assert.equal(result.kind === "exited" ? result.exitCode : result.kind, 0);
  assert.ok(text === "" || text.endsWith("\n"));
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => recordSchema.parse(JSON.parse(line)));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** What holds for a stand-in in every sandbox. */
export async function checkStandIns(t: TestContext, sandbox: Sandbox): Promise<void> {
  const output = "-50% of \\n 'it' \"ü\"\nlast line without end";
  const { run } = await standIns(sandbox, {
    record_cli: [{ tool: "uip", exit_code: 7, stdout: output, stderr: "not connected\n" }],
  });

  await t.test("a stand-in answers as the task says, byte by byte, and the log begins empty", async () => {
    assert.deepEqual(await takeRecords(sandbox), []);
    assert.deepEqual(await run("uip"), { code: 7, stdout: output, stderr: "not connected\n" });
    const [record, ...more] = await takeRecords(sandbox);
    assert.deepEqual([record?.tool, record?.argv, record?.exit, more], ["uip", [], 7, []]);
  });

  await t.test("arguments are recorded exactly, whatever characters they hold", async () => {
    const args = [
      ...[
        "plain",
        "",
        "-x",
        "--y=1",
        "sp  ace",
        " ",
        "q\"uo'te\\",
        "a\nb\n",
        "\n",
        "\t\r\x01\x1f\x7f",
        "%s %d \\101 \\n",
        "$HOME `id` [x] * ? ~",
      ],
      ...["ü€😀", "e\u0301", "\ud7ff\ue000\uffff", "x".repeat(3_000), 'ü"'.repeat(1_500)],
    ];
    await run(`uip ${args.map(quoted).join(" ")}`);
    assert.deepEqual((await takeRecords(sandbox))[0]?.argv, args);
  });

  await t.test("bytes that are no text become lone surrogates, one each, as in Python", async () => {
    await run(
      `uip "$(printf '\\377')" "$(printf 'a\\303')" "$(printf '\\342\\202A\\303\\251')" "$(printf '\\355\\240\\200')" "$(printf '\\300\\200')"`,
    );
    const wanted = ["\udcff", "a\udcc3", "\udce2\udc82Aé", "\udced\udca0\udc80", "\udcc0\udc80"];
    assert.deepEqual((await takeRecords(sandbox))[0]?.argv, wanted);
  });

  await t.test("no call of many at the same time is lost or mixed with another, short and long ones", async () => {
    const long = "x".repeat(5_000);
    const line = `i=0; while [ $i -lt 200 ]; do if [ $((i % 4)) = 0 ]; then uip "$i" ${long} & else uip "$i" & fi; i=$((i + 1)); done >/dev/null 2>&1; wait`;
    await run(line);
    const argvs = (await takeRecords(sandbox)).map(({ argv }) => argv);
    const wanted = Array.from({ length: 200 }, (_, index) => (index % 4 === 0 ? [String(index), long] : [String(index)]));
    assert.deepEqual(
      argvs.toSorted((a, b) => Number(a[0]) - Number(b[0])),
      wanted,
    );
  });

  await t.test("a call of a criterion's command is answered and not recorded", async () => {
    assert.equal((await run("uip check", { EVALBATCH_CLI_UNRECORDED: "1" })).code, 7);
    assert.deepEqual(await takeRecords(sandbox), []);
  });

  await t.test("a log that is gone or cannot be written is not made anew: a mark beside it tells that calls are missing", async () => {
    for (const loss of [`rm ${log}`, `mkdir ${log}`]) {
      assert.equal((await run(`${loss}; uip lost`)).code, 7);
      assert.equal(await sandbox.kindOf(`${log}.error`), "file", loss);
      assert.notEqual(await sandbox.kindOf(log), "file", loss);
      await run(`rm ${log}.error`);
    }
  });
}
