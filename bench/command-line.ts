import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");

/** The program as users start it: the bundle where it is built, else the sources. */
export const cliPath = existsSync(join(root, "dist", "cli.js")) ? join(root, "dist", "cli.js") : join(root, "src", "cli.ts");

/** A folder of `count` tasks that do nothing: no agent, no Python, one command that succeeds. Removed at the end of the block. */
export async function noopTasks(count: number): Promise<AsyncDisposable & { readonly dir: string }> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-bench-"));
  await mkdir(join(dir, "tasks"));
  const body = [
    "description: does nothing",
    "agent: {type: none}",
    "sandbox: {python: null}",
    'success_criteria: [{type: run_command, description: ok, command: "true"}]',
  ];
  for (let index = 0; index < count; index++) {
    const id = `noop-${String(index).padStart(4, "0")}`;
    await writeFile(join(dir, "tasks", `${id}.yaml`), [`task_id: ${id}`, ...body, ""].join("\n"));
  }
  return { dir, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

let runs = 0;

/**
 * `evalbatch run` on such a folder, in a process of its own, without keeping artifacts.
 * @throws Error with the output when a task did not pass
 */
export async function runTasks(dir: string, args: readonly string[]): Promise<void> {
  const runDir = join(dir, `run-${++runs}`);
  const all = [cliPath, "run", join(dir, "tasks"), "--run-dir", runDir, "--preservation-mode", "NONE", ...args];
  const child = spawn(process.execPath, all, { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8");
    stream.on("data", (text: string) => {
      output = (output + text).slice(-4000);
    });
  }
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`evalbatch run ended with exit code ${code}:\n${output}`);
}
