import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { inputVariable } from "../../src/github/inputs.ts";

const root = join(import.meta.dirname, "../..");
/** The committed bundle, or another one under test. */
const dist = process.env.EVALBATCH_DIST ?? join(root, "dist");

/** Reason to skip the tests of the bundle: it is not committed to a branch under work. */
export const noBundle = existsSync(join(dist, "main.js")) ? false : "dist/ is not built; npm run build makes it";

interface Cleanup {
  after(work: () => void): void;
}

/** A job's directories: the action alone in an empty folder, so that no node_modules can rescue it, and a workspace. */
export interface Job {
  readonly directory: string;
  readonly workspace: string;
  readonly env: Readonly<Record<string, string>>;
  /** Writes a file of the workspace. */
  write(path: string, content: string): void;
}

/** Values that must not be seen in a task, one in every variable that the runner or GitHub hands to an action. */
export const canaries: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...["ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_URL", "ACTIONS_RESULTS_URL", "ACTIONS_CACHE_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"],
    ...["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ORCHESTRATION_ID", "ACTIONS_SOMETHING_NEW"],
    ...["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_ACTOR", "GITHUB_SOMETHING_NEW"],
    ...["INPUT_GITHUB-TOKEN", "INPUT_SOMETHING_NEW", "RUNNER_TOOL_CACHE", "RUNNER_TRACKING_ID", "RUNNER_SOMETHING_NEW", "STATE_other"],
    ...["AWS_SECRET_ACCESS_KEY", "NPM_TOKEN", "SSH_AUTH_SOCK", "NODE_OPTIONS_UNUSED"],
  ].map((name) => [name, `canary-of-${name}`]),
);

export function makeJob(t: Cleanup): Job {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-bundle-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const workspace = join(directory, "workspace");
  for (const path of ["workspace", "temp", "home"]) mkdirSync(join(directory, path));
  cpSync(dist, join(directory, "action"), { recursive: true });
  for (const path of ["output", "state", "summary"]) writeFileSync(join(directory, path), "");
  return {
    directory,
    workspace,
    env: {
      PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      HOME: join(directory, "home"),
      CI: "true",
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: workspace,
      GITHUB_REPOSITORY: "octo/evals",
      GITHUB_RUN_ID: "7",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_JOB: "evals",
      GITHUB_EVENT_NAME: "pull_request",
      GITHUB_OUTPUT: join(directory, "output"),
      GITHUB_STATE: join(directory, "state"),
      GITHUB_STEP_SUMMARY: join(directory, "summary"),
      RUNNER_TEMP: join(directory, "temp"),
      ...canaries,
    },
    write(path, content) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), content);
    },
  };
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly state: Readonly<Record<string, string>>;
  readonly summary: string;
}

export interface Started {
  readonly child: ChildProcess;
  /** Standard output so far. */
  readonly seen: () => string;
  readonly ended: Promise<Ended>;
}

export interface StartOptions {
  readonly door?: "main" | "post";
  readonly inputs?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the action as the runner does: `node dist/main.js` with its own environment and nothing else, in the workspace. */
export function startAction(job: Job, options: StartOptions = {}): Started {
  const { door = "main", inputs = {}, env = {} } = options;
  const inputEnv = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [inputVariable(name), value]));
  const child = spawn(process.execPath, [join(job.directory, "action", `${door}.js`)], {
    cwd: job.workspace,
    env: { ...job.env, ...inputEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) =>
      resolve({
        exitCode,
        stdout,
        stderr,
        outputs: readCommandFile(join(job.directory, "output")),
        state: readCommandFile(join(job.directory, "state")),
        summary: readFileSync(join(job.directory, "summary"), "utf8"),
      }),
    );
  });
  return { child, seen: () => stdout, ended };
}

export const runAction = (job: Job, options: StartOptions = {}): Promise<Ended> => startAction(job, options).ended;

/** The file behind GITHUB_OUTPUT or GITHUB_STATE, read as the runner does: the last value of a name counts. */
function readCommandFile(path: string): Record<string, string> {
  const values: Record<string, string> = {};
  const entry = /^([\w-]+)<<(\S+)\n([\s\S]*?)\n?\2\n/gm;
  for (const [, name = "", , value = ""] of readFileSync(path, "utf8").matchAll(entry)) values[name] = value;
  return values;
}

/** The annotations in a log, as `level text`, decoded. */
export function annotations(log: string): string[] {
  return Array.from(log.matchAll(/^::(error|warning|notice)(?: [^:]*)?::(.*)$/gm), ([, level, text = ""]) => {
    const decoded = text.replaceAll("%0A", "\n").replaceAll("%0D", "\r").replaceAll("%25", "%");
    return `${level} ${decoded}`;
  });
}

/** Lines of a task file that ask for what no task gets, even by name. */
export const wantsEverything = `sandbox: {docker: {env_passthrough_extra: ${JSON.stringify(
  Object.keys(canaries).filter((name) => /^(?:ACTIONS|INPUT|RUNNER|STATE)_|^(?:GITHUB_TOKEN|GH_TOKEN|GITHUB_ENV|GITHUB_PATH)$/.test(name)),
)}}}
`;

/** A task file; the criterion passes when the agent left a file `done`. */
export function taskYaml(id: string, command: string, more = ""): string {
  return `task_id: ${id}
description: a task
initial_prompt: do it
agent: {type: command, command: ${JSON.stringify(command)}}
${more}success_criteria:
  - {type: file_exists, description: it is done, path: done}
`;
}
