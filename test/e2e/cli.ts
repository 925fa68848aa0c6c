import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { z } from "zod";

const cli = resolve(import.meta.dirname, "../../src/cli.ts");

export interface CliEnd {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly end: Promise<CliEnd>;
  /** Resolves once stderr and stdout together hold the text. */
  waitFor(text: string): Promise<void>;
}

const baseEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  DOCKER_HOST: process.env.DOCKER_HOST,
  CI: "true",
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};

/** Starts the real command line on the sources, in a process of its own with a small environment. */
export function startCli(args: readonly string[], options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): RunningCli {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: options.cwd,
    env: { ...baseEnv, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  const waiting: { text: string; found: () => void }[] = [];
  const check = (): void => {
    for (const { text, found } of waiting) if ((stderr + stdout).includes(text)) found();
  };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    check();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
    check();
  });
  const end = new Promise<CliEnd>((done, fail) => {
    child.once("error", fail);
    child.once("close", (code) => done({ code, stdout, stderr }));
  });
  return {
    child,
    end,
    waitFor: (text) =>
      new Promise((found, fail) => {
        waiting.push({ text, found });
        check();
        end.then(() => fail(new Error(`the process ended before it said '${text}':\n${stderr}${stdout}`)), fail);
      }),
  };
}

export const runCli = (args: readonly string[], options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv }): Promise<CliEnd> =>
  startCli(args, options).end;

export interface Project extends AsyncDisposable {
  readonly dir: string;
  readJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>>;
  readText(path: string): Promise<string>;
}

/** A folder with the given files that is removed at the end. */
export async function makeProject(files: Readonly<Record<string, string>>): Promise<Project> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-e2e-"));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return {
    dir,
    readText: (path) => readFile(join(dir, path), "utf8"),
    readJson: async (path, schema) => schema.parse(JSON.parse(await readFile(join(dir, path), "utf8"))),
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }),
  };
}

/** The part of `run.json` that most tests look at. */
export const runFile = z.object({
  verdict: z.string(),
  tasks_planned: z.number(),
  tasks_run: z.number(),
  tasks_succeeded: z.number(),
  tasks_failed: z.number(),
  tasks_error: z.number(),
  interrupted: z.boolean(),
  skipped_tasks: z.array(z.object({ path: z.string(), reason: z.string() })),
  not_run: z.array(z.object({ task_id: z.string(), reason: z.string() })),
  task_results: z.array(z.object({ task_id: z.string(), status: z.string(), weighted_score: z.number().nullable() })),
});

/** A task of the `none` agent; fields as YAML lines. */
export function noneTask(id: string, body: string): string {
  return `task_id: ${id}\ndescription: ${id}\nagent: {type: none}\nsandbox: {python: null}\n${body}`;
}

/** A task of one command, and another one that judges what it left. */
export function commandTask(id: string, command: string, criterion = "test -e done"): string {
  return `task_id: ${id}
description: ${id}
initial_prompt: do it
agent: {type: command, command: '${command}'}
sandbox: {python: null}
success_criteria:
  - {type: run_command, description: as wished, command: '${criterion}'}
`;
}
