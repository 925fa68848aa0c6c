import { spawn } from "node:child_process";
import { DeadlineError, EnvironmentError } from "../../errors.ts";
import { clampTimer } from "../../timer.ts";
import { createCapture } from "../tempdir/capture.ts";

export interface GitResult {
  readonly exitCode: number;
  readonly stdout: string;
  /** Without credentials. */
  readonly stderr: string;
}

/** Settings, name and value, that go to git through its environment. */
export type GitConfig = readonly (readonly [string, string])[];

export type Git = (args: readonly string[], options: { readonly cwd: string; readonly timeoutMs: number }) => Promise<GitResult>;

/** Options that keep the user's own set-up of git, hooks above all, out of a template. */
const settings = [
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "gc.auto=0"],
  ...["-c", "maintenance.auto=false"],
  ...["-c", "submodule.recurse=false"],
  ...["-c", "advice.detachedHead=false"],
  ...["-c", "init.defaultBranch=main"],
];
const maxOutputBytes = 200_000;

/**
 * Runs the host's git, with the user's credentials but never with a question, over a few safe protocols only.
 * Commands are killed with their helpers at the deadline and by `signal`.
 * @throws DeadlineError, EnvironmentError `no-git`, or the signal's reason
 */
export function createGit(hostEnv: Readonly<Record<string, string | undefined>>, config: GitConfig, signal: AbortSignal): Git {
  const env = withConfig(gitEnvironment(hostEnv), config);
  return (args, { cwd, timeoutMs }) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const child = spawn("git", [...settings, ...args], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
      const stdout = createCapture(maxOutputBytes);
      const stderr = createCapture(maxOutputBytes);
      child.stdout.on("data", stdout.push);
      child.stderr.on("data", stderr.push);
      let failure: unknown;
      const kill = (why: unknown): void => {
        failure ??= why;
        // The group: `git-remote-https` and `ssh` are children of their own.
        if (child.pid !== undefined) killGroup(child.pid);
      };
      const onAbort = (): void => kill(signal.reason);
      const timer = setTimeout(() => kill(new DeadlineError(`git ${args[0] ?? ""}`, timeoutMs)), clampTimer(timeoutMs));
      signal.addEventListener("abort", onAbort, { once: true });
      const settle = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      child.once("error", (cause) => {
        settle();
        reject(
          new EnvironmentError("no-git", "cannot run git", {
            cause,
            hint: "install git: a template of type repo needs it on this machine",
          }),
        );
      });
      child.once("close", (code) => {
        settle();
        if (failure !== undefined) reject(failure);
        else resolve({ exitCode: code ?? 1, stdout: stdout.finish().text, stderr: withoutCredentials(stderr.finish().text) });
      });
    });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function gitEnvironment(hostEnv: Readonly<Record<string, string | undefined>>): Environment {
  const env: Environment = {};
  for (const [name, value] of Object.entries(hostEnv)) {
    // Set when we run inside a hook, they would point git at another repository; traces would show credentials.
    if (
      !/^GIT_(DIR|WORK_TREE|INDEX_FILE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_|NAMESPACE|PREFIX|TRACE|CURL_VERBOSE|TEMPLATE_DIR)/.test(name)
    ) {
      env[name] = value;
    }
  }
  return {
    ...env,
    GIT_TERMINAL_PROMPT: "0",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_ALLOW_PROTOCOL: "https:http:ssh:git:file",
    LC_ALL: "C",
  };
}

type Environment = Record<string, string | undefined>;

function withConfig(env: Environment, config: GitConfig): Environment {
  const given = Number(env.GIT_CONFIG_COUNT ?? "0");
  const first = Number.isInteger(given) && given >= 0 ? given : 0;
  const added: Environment = { GIT_CONFIG_COUNT: String(first + config.length) };
  config.forEach(([name, value], index) => {
    added[`GIT_CONFIG_KEY_${first + index}`] = name;
    added[`GIT_CONFIG_VALUE_${first + index}`] = value;
  });
  return { ...env, ...added };
}

/** User, password and query of every address in a text are replaced. */
export function withoutCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s'"]*@/gi, "$1***@").replace(/([a-z][a-z0-9+.-]*:\/\/[^\s?'"]*)\?[^\s'"]*/gi, "$1?***");
}
