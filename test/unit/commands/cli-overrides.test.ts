import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { runCliMain } from "./cli-process.ts";

// The argument lists that 0.8.2 was given, at our command line: the same decision, never a stack trace.
const entry = z.object({ value: z.unknown(), source: z.string(), source_detail: z.string().nullable() });
const rows = z
  .array(
    z.object({
      args: z.array(z.string()),
      exit_code: z.number(),
      ours: z.array(z.string()).nullable().optional(),
      resolved: z.object({ max_turns: z.number() }).optional(),
      cli_lineage: z.record(z.string(), entry).optional(),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL("../../fixtures/plan/overrides/messages.json", import.meta.url), "utf8")));
const planSchema = z.object({
  tasks: z.array(z.object({ run_limits: z.object({ max_turns: z.number() }), lineage: z.record(z.string(), entry) })),
});

const task = `task_id: plain
description: a task
agent: {type: none}
sandbox: {python: null}
success_criteria: [{type: run_command, description: passes, command: 'true'}]
`;

async function project(): Promise<{ readonly dir: string } & AsyncDisposable> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-cli-"));
  await mkdir(join(dir, "tasks"));
  await writeFile(join(dir, "tasks/plain.yaml"), task);
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true }) };
}

test("wrong settings end with exit code 2 before anything is run, with our message and no stack trace", async () => {
  await using at = await project();
  const refused = rows.filter(({ exit_code }) => exit_code === 2);
  assert.ok(refused.length > 40);
  for (const { args, ours } of refused) {
    const end = await runCliMain(["run", "tasks/plain.yaml", ...args], at.dir);
    const told = `${JSON.stringify(args)}: ${end.stderr}`;
    assert.equal(end.code, 2, told);
    assert.equal(end.stdout, "", told);
    assert.doesNotMatch(end.stderr, /^\s+at |internal error/m, told);
    if (ours) assert.deepEqual(end.stderr.trimEnd().split("\n"), ours);
    else assert.match(end.stderr, /error: /, told);
  }
});

test("settings that 0.8.2 takes resolve to what it made of them, and the lineage says so", async () => {
  await using at = await project();
  for (const { args, resolved, cli_lineage } of rows.filter(({ exit_code }) => exit_code === 0)) {
    const end = await runCliMain(["plan", "tasks/plain.yaml", "--json", ...args], at.dir);
    assert.equal(end.code, 0, end.stderr);
    const [planned] = planSchema.parse(JSON.parse(end.stdout)).tasks;
    assert.equal(planned?.run_limits.max_turns, resolved?.max_turns);
    const ofCli = Object.entries(planned?.lineage ?? {}).filter(([, { source }]) => source === "cli");
    assert.deepEqual(Object.fromEntries(ofCli), cli_lineage);
  }
});

test("numbers out of range and unknown words are told with what is allowed", async () => {
  await using at = await project();
  for (const [args, expected] of [
    [["--repeats", "0"], /'--repeats <n>' argument '0' is invalid\. expected a whole number from 1 to 99/],
    [["--repeats", "1e1"], /expected a whole number from 1 to 99/],
    [["--sample", "0"], /'--sample <n>' argument '0' is invalid\. expected a whole number of at least 1/],
    [["--sample-per-stratum", "x"], /expected a whole number of at least 1/],
    [["--max-tasks", "-1"], /expected a whole number of at least 1/],
    [["--on-max-tasks", "stop"], /Allowed choices are fail, sample/],
    [["--driver", "podman"], /Allowed choices are docker, tempdir/],
    [["-e", " "], /'-e, --experiment <file>' argument ' ' is invalid\. it is empty/],
    [["--confirm-above", "0"], /expected a whole number of at least 1/],
  ] as const) {
    const end = await runCliMain(["run", "tasks", ...args], at.dir);
    assert.equal(end.code, 2, args.join(" "));
    assert.match(end.stderr, expected);
  }
});

test("nobody is asked where there is no terminal: a large run needs --yes", async () => {
  await using at = await project();
  const end = await runCliMain(["run", "tasks", "--repeats", "3", "--confirm-above", "2"], at.dir);
  assert.equal(end.code, 2);
  assert.match(end.stderr, /error: 3 tasks would run, more than 2.*\n {2}hint: add --yes/);
  const confirmed = await runCliMain(["run", "tasks", "--repeats", "3", "--confirm-above", "2", "--yes", "-o", "out"], at.dir);
  assert.equal(confirmed.code, 0, confirmed.stderr);
});

test("files that -D names are looked for from where the user stands", async () => {
  await using at = await project();
  const missing = await runCliMain(["plan", "tasks", "-D", "sandbox.docker.dockerfile_path=tools/Dockerfile"], at.dir);
  assert.equal(missing.code, 2);
  assert.match(
    missing.stderr,
    /^error: -D sandbox\.docker\.dockerfile_path: the Dockerfile 'tools\/Dockerfile' does not exist\n {2}hint: .*working directory/,
  );
  await mkdir(join(at.dir, "tools"));
  await writeFile(join(at.dir, "tools/Dockerfile"), "FROM scratch\n");
  assert.equal((await runCliMain(["plan", "tasks", "-D", "sandbox.docker.dockerfile_path=tools/Dockerfile"], at.dir)).code, 0);
});

test("the help names every flag once, and no default that says nothing", async () => {
  for (const command of ["run", "plan"]) {
    const { code, stdout } = await runCliMain([command, "--help"], tmpdir());
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /\(default:\s+(?:\[\]|false)\)/);
    const flags = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    assert.deepEqual(flags, [...new Set(flags)]);
    for (const flag of ["--experiment", "--variant", "--set", "--model", "--type", "--driver", "--repeats", "--sample", "--max-tasks"])
      assert.ok(flags.includes(flag), `${command} ${flag}`);
    assert.equal(flags.includes("--explain"), command === "plan");
    assert.equal(flags.includes("--confirm-above"), command === "run");
  }
});
