import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { version } from "../../src/version.ts";
import { makeJob, noBundle, taskYaml } from "./action-process.ts";

const options = { skip: noBundle };
/** A Node 22 to try the bundle on as well, where there is one. */
const node22 = process.env.EVALBATCH_NODE22;

function cli(job: { readonly directory: string; readonly workspace: string }, args: readonly string[], node = process.execPath) {
  return spawnSync(node, [join(job.directory, "action/cli.js"), ...args], {
    cwd: job.workspace,
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: job.directory },
  });
}

for (const [name, node] of [
  ["this Node", process.execPath],
  ["Node 22", node22],
] as const) {
  const skip = noBundle === false ? (node === undefined ? "EVALBATCH_NODE22 names no Node 22" : false) : noBundle;
  test(`the command line runs from an empty folder on ${name}`, { skip }, (t) => {
    const job = makeJob(t);
    job.write("evals/a.yaml", taskYaml("a", "touch done"));
    assert.equal(cli(job, ["--version"], node).stdout, `${version}\n`);
    const run = cli(job, ["run", "evals", "--driver", "tempdir"], node);
    assert.equal(run.status, 0, run.stdout + run.stderr);
    const usage = cli(job, ["run"], node);
    assert.equal(usage.status, 2, usage.stdout + usage.stderr);
    const missing = cli(job, ["run", "nothing", "--driver", "tempdir"], node);
    assert.equal(missing.status, 2, missing.stdout + missing.stderr);
    assert.match(missing.stderr, /nothing/);
  });
}

test("cli.js can be executed", options, (t) => {
  const path = join(makeJob(t).directory, "action/cli.js");
  assert.match(readFileSync(path, "utf8"), /^#!\/usr\/bin\/env node\n/);
  assert.equal(statSync(path).mode & 0o111, 0o111);
});

test("an older Node is told which one is needed, before it reads what it cannot", options, (t) => {
  const job = makeJob(t);
  const preload = join(job.directory, "older.cjs");
  writeFileSync(
    preload,
    'Object.defineProperty(process.versions, "node", { value: "20.20.2" });\nObject.defineProperty(process, "version", { value: "v20.20.2" });\n',
  );
  // If the launcher went on, it would end with the syntax error of this file.
  writeFileSync(join(job.directory, "action/cli-main.js"), "not javascript");
  const { status, stderr } = spawnSync(process.execPath, ["--require", preload, join(job.directory, "action/cli.js"), "run", "x"], {
    encoding: "utf8",
  });
  assert.equal(status, 2);
  assert.match(stderr, /^evalbatch needs Node 22 or newer, this is v20\.20\.2\n {2}hint: /);
});
