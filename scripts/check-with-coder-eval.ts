/**
 * Holds what we write against coder_eval itself: its models read our files, its reports and its resume go on with our run directories, and
 * ours with its. Not a part of CI, which has no Python 3.13: to be run before a change of `task.json`, `run.json`, `suite.json`,
 * `experiment.json` or `resume_fingerprint.json` lands.
 *
 *     node scripts/check-with-coder-eval.ts [python3.13] [--keep folder]
 *
 * With `--keep` the resumed run is copied there: the sample of `test/fixtures/upstream/both-tools/written`.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { keep: { type: "string" } } });
const python = positionals[0] ?? "python3.13";
const root = resolve(import.meta.dirname, "..");
const work = mkdtempSync(join(tmpdir(), "evalbatch-coder-eval-"));

/** What pip is to install. Both fail at start with newer versions of typer; 0.8.2 needs httpx without saying so. */
const releases = {
  "0.8.2": ["coder-eval==0.8.2", "typer==0.24.1", "httpx"],
  "0.12.16": ["coder-eval==0.12.16", "typer==0.24.1", "httpx"],
};

const out = (line: string): void => void process.stdout.write(`${line}\n`);

function call(command: string, args: readonly string[], codes: readonly number[] = [0]): string {
  const env = { ...process.env, TELEMETRY_ENABLED: "false", NO_COLOR: "1", COLUMNS: "200", TZ: "UTC" };
  const end = spawnSync(command, args, { cwd: work, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
  const text = `${end.stdout ?? ""}${end.stderr ?? ""}`;
  assert.ok(end.error === undefined && codes.includes(end.status ?? -1), `${command} ${args.join(" ")} ended with ${end.status}:\n${text}`);
  return text;
}

const ours = (...args: string[]): string => call(process.execPath, [join(root, "src/cli.ts"), ...args], [0, 1]);

type Counts = readonly [run: number, succeeded: number, failed: number, errors: number];

function countsOf(runDir: string): Counts {
  const run: unknown = JSON.parse(readFileSync(join(work, runDir, "run.json"), "utf8"));
  assert.ok(typeof run === "object" && run !== null);
  const count = (key: string): number => Number(Reflect.get(run, key));
  return [count("tasks_run"), count("tasks_succeeded"), count("tasks_failed"), count("tasks_error")];
}

const tasks = ["breaks", "fails", "passes", "suite"].map((name) => `tasks/${name}.yaml`);

try {
  cpSync(join(root, "test/fixtures/upstream/both-tools"), work, { recursive: true });
  ours("run", "tasks", "-o", "resumed", "-j", "2");
  rmSync(join(work, "resumed/default/passes"), { recursive: true });
  ours("run", "tasks", "--run-dir", "resumed", "--resume", "--retry", "failed", "-j", "2");
  ours("run", "agent", "-o", "agent", "-j", "2");
  ours("run", "tasks/passes.yaml", "tasks/fails.yaml", "-e", "ab.yaml", "--repeats", "2", "-o", "variants", "-j", "2");
  if (values.keep !== undefined) cpSync(join(work, "resumed"), resolve(values.keep), { recursive: true });
  const written = { resumed: countsOf("resumed"), agent: countsOf("agent"), variants: countsOf("variants") };
  assert.deepEqual(written, { resumed: [5, 2, 2, 1], agent: [2, 1, 1, 0], variants: [8, 4, 4, 0] });

  for (const [release, packages] of Object.entries(releases)) {
    const bin = join(work, `venv-${release}`, "bin");
    call(python, ["-m", "venv", join(work, `venv-${release}`)]);
    call(join(bin, "pip"), ["install", "-q", ...packages]);
    const theirs = (...args: string[]): string => call(join(bin, "coder-eval"), args, [0, 1]);
    const readByModels = (...runDirs: string[]): void =>
      out(`${release}: ${call(join(bin, "python"), [join(root, "scripts/coder-eval/models.py"), ...runDirs]).trim()}`);
    const copy = (name: string): string => {
      cpSync(join(work, name), join(work, `${name}-${release}`), { recursive: true });
      return `${name}-${release}`;
    };

    readByModels(...Object.keys(written));
    for (const [name, counts] of Object.entries(written)) {
      theirs("report", name);
      const runDir = copy(name);
      if (release === "0.8.2") theirs("aggregate", runDir);
      else theirs("report", runDir, "--rebuild");
      assert.deepEqual(countsOf(runDir), counts, `${release} made run.json of ${name} anew`);
    }
    out(`${release}: reports, and makes run.json anew with the same counts`);

    const mixed = copy("resumed");
    rmSync(join(work, mixed, "default/fails"), { recursive: true });
    assert.match(
      theirs("run", ...tasks, "--run-dir", mixed, "--resume", "--model", "another"),
      /4 task\(s\) already complete, running 1 rem/,
    );
    assert.deepEqual(countsOf(mixed), written.resumed);
    ours("report", mixed, "--rebuild");
    assert.deepEqual(countsOf(mixed), written.resumed);
    assert.match(ours("run", ...tasks, "--run-dir", mixed, "--resume", "--model", "another"), /5 results kept, 0 to run/);
    out(`${release}: resumes our run, and we go on with what it made of it`);

    const scratch = `theirs-${release}`;
    theirs("run", ...tasks, "--run-dir", scratch);
    ours("report", scratch, "--rebuild");
    assert.deepEqual(countsOf(scratch), written.resumed);
    rmSync(join(work, scratch, "default/passes"), { recursive: true });
    assert.match(ours("run", ...tasks, "--run-dir", scratch, "--resume"), /4 results kept, 1 to run \(1 missing\)/);
    assert.deepEqual(countsOf(scratch), written.resumed);
    readByModels(mixed, scratch);
    assert.match(theirs("run", ...tasks, "--run-dir", scratch, "--resume"), /5 task\(s\) already complete, running 0 remaining/);
    out(`${release}: its run is reported and resumed here, and it goes on with what we made of it`);
  }
  out("all of it holds");
} finally {
  rmSync(work, { recursive: true, force: true });
}
