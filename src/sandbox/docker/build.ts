import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { stripVTControlCharacters } from "node:util";
import { EnvironmentError, ImageBuildError } from "../../errors.ts";
import type { DockerConfig } from "../../plan/schema/docker-schema.ts";
import { clampTimer } from "../../timer.ts";
import { expandBuildArguments } from "./build-arguments.ts";
import { buildCommand } from "./build-command.ts";
import { hashBuild } from "./build-context.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface BuildDeps {
  /** Of the host; `DOCKER_HOST` names the engine that the driver talks to. */
  readonly env: Env;
  readonly log: (line: string) => void;
  readonly timeoutMs: number;
}

export interface PlannedBuild {
  readonly dockerfile: string;
  readonly context: string;
  readonly tag: string;
  /** With the values of their variables. */
  readonly args: Readonly<Record<string, string>>;
  /** The tag says all about the content: an image of that name need not be built again. */
  readonly reusable: boolean;
}

const keptLogChars = 200_000;
const killAfterMs = 5_000;

/**
 * Where a task's Dockerfile is and what its image is to be called: `evalbatch-build:<content hash>`.
 * @throws EnvironmentError `dockerfile-missing` or `build-argument`, the system's error for an unreadable context, or the signal's reason
 */
export async function planBuild(docker: DockerConfig, taskDir: string, env: Env, signal: AbortSignal): Promise<PlannedBuild> {
  // Its variables were replaced when the task was read: what still looks like one is part of a folder's name.
  const dockerfile = resolve(taskDir, docker.dockerfile_path ?? "");
  if (!existsSync(dockerfile)) {
    throw new EnvironmentError("dockerfile-missing", `the Dockerfile ${dockerfile} does not exist`, {
      hint: "sandbox.docker.dockerfile_path is relative to the task file",
    });
  }
  const context = dirname(dockerfile);
  const args = expandBuildArguments(docker.build.args, env);
  const hash = await hashBuild(dockerfile, context, docker.build, args, signal);
  const fresh = docker.build.extra_args.some((arg) => arg === "--pull" || arg === "--pull=true" || arg.startsWith("--no-cache"));
  return {
    dockerfile,
    context,
    args,
    tag: `evalbatch-build:${hash ?? randomBytes(12).toString("hex")}`,
    reusable: hash !== undefined && !fresh,
  };
}

/**
 * Builds an image with the docker CLI, since only that has BuildKit. The whole output goes to `log`.
 * @throws ImageBuildError (a broken Dockerfile, or the time is over), EnvironmentError `no-docker-cli`, or the signal's reason
 */
export async function buildImage(plan: PlannedBuild, build: DockerConfig["build"], deps: BuildDeps, signal: AbortSignal): Promise<void> {
  const command = buildCommand({ ...plan, build }, deps.env, await hasBuildx(deps.env, signal));
  for (const warning of command.warnings) deps.log(`warning: ${warning}`);
  deps.log(`building ${plan.tag} from ${plan.dockerfile}`);
  const log = keepTail(deps.log);
  const ended = await runCli(command.args, command.env, log.push, deps.timeoutMs, signal);
  log.finish();
  if (ended === "timed out") {
    throw new ImageBuildError(`the build of ${shortName(plan.dockerfile)} took longer than ${deps.timeoutMs / 1000} s`, log.text(), {
      hint: "see the last lines of docker.log for the step that hangs",
    });
  }
  if (ended !== 0) {
    throw new ImageBuildError(`could not build the image of ${shortName(plan.dockerfile)}: ${log.lastLine()}`, log.text(), {
      hint: "docker.log has the whole output",
    });
  }
}

/** A Dockerfile with its folder: the log of the build has the whole path. */
function shortName(dockerfile: string): string {
  return join(basename(dirname(dockerfile)), basename(dockerfile));
}

/** Whether this CLI has the buildx plug-in; without it BuildKit cannot be had from newer CLIs. */
async function hasBuildx(env: Env, signal: AbortSignal): Promise<boolean> {
  const childEnv = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return (await runCli(["buildx", "version"], childEnv, () => undefined, 20_000, signal)) === 0;
}

/** The CLI in a process group of its own, so that its plug-ins end with it. */
async function runCli(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  onOutput: (chunk: Buffer) => void,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<number | "timed out"> {
  signal.throwIfAborted();
  const child = spawn("docker", args, { env, stdio: ["ignore", "pipe", "pipe"], detached: process.platform !== "win32" });
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  let timedOut = false;
  let killTimer: NodeJS.Timeout | undefined;
  const end = () => {
    killGroup(child, "SIGTERM");
    killTimer ??= setTimeout(() => killGroup(child, "SIGKILL"), killAfterMs);
  };
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, clampTimer(timeoutMs));
  signal.addEventListener("abort", end, { once: true });
  try {
    const code = await new Promise<number>((resolveCode, reject) => {
      child.once("error", (error) => reject(noCli(error)));
      child.once("close", (exitCode) => resolveCode(exitCode ?? 1));
    });
    signal.throwIfAborted();
    return timedOut ? "timed out" : code;
  } finally {
    clearTimeout(timer);
    clearTimeout(killTimer);
    signal.removeEventListener("abort", end);
  }
}

function killGroup(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // It has ended in this moment.
  }
}

function noCli(error: Error): Error {
  const missing = "code" in error && error.code === "ENOENT";
  return new EnvironmentError(
    "no-docker-cli",
    `building an image needs the docker command, which ${missing ? "is not on PATH" : "does not start"}`,
    {
      cause: error,
      hint: "install the docker CLI (package docker-cli or docker.io), or build the image before the run and name it in sandbox.docker.image",
    },
  );
}

/** Hands every line on and keeps the last 200,000 characters. */
function keepTail(onLine: (line: string) => void) {
  const decoder = new StringDecoder("utf8");
  let tail = "";
  let rest = "";
  const add = (text: string): void => {
    tail = tail.length > 2 * keptLogChars ? tail.slice(-keptLogChars) + text : tail + text;
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  };
  return {
    push: (chunk: Buffer) => add(decoder.write(chunk)),
    finish: () => {
      add(decoder.end());
      if (rest !== "") onLine(rest);
    },
    text: () => tail.slice(-keptLogChars),
    lastLine: () =>
      stripVTControlCharacters(tail.trimEnd().split(/\r?\n/).at(-1) ?? "")
        .trim()
        .slice(0, 500),
  };
}
