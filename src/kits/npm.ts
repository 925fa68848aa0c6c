import { spawn } from "node:child_process";
import { EnvironmentError } from "../errors.ts";

export interface NpmRequest {
  readonly args: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Milliseconds after which it is killed. */
  readonly timeoutMs: number;
}

export interface NpmEnd {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  readonly timedOut: boolean;
  /** The last part of each. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `npm` of this machine. @throws EnvironmentError `kit-no-npm` when there is none, or the signal's reason */
export type NpmRunner = (request: NpmRequest) => Promise<NpmEnd>;

const keptChars = 512 * 1024;

/** npm as a process group of its own, so that nothing of it outlives a stop. */
export const runNpm: NpmRunner = async ({ args, cwd, env, signal, timeoutMs }) => {
  signal.throwIfAborted();
  // npm is a script on Windows, which only its shell starts.
  const shell = process.platform === "win32";
  const child = spawn("npm", args, { cwd, env, shell, stdio: ["ignore", "pipe", "pipe"], detached: !shell });
  const kept = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      kept[name] = (kept[name] + text).slice(-keptChars);
    });
  }
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(shell ? child.pid : -child.pid, "SIGKILL");
    } catch {
      // It has ended in this moment.
    }
  };
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, timeoutMs);
  signal.addEventListener("abort", kill, { once: true });
  try {
    const code = await new Promise<number | undefined>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (status) => resolve(status ?? undefined));
    });
    signal.throwIfAborted();
    return { code, timedOut, ...kept };
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw new EnvironmentError("kit-no-npm", "npm is not on this machine's PATH, and agents are fetched with it", {
      cause: error,
      hint: "install Node.js with npm (actions/setup-node), or bring the agent in the image and set agent-version: image",
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
};
