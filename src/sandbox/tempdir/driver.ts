import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EnvironmentError } from "../../errors.ts";
import type { Kit } from "../../kits/kit-recipe.ts";
import { clampTimer } from "../../timer.ts";
import { missingLoader, muslLoaders } from "../missing-loader.ts";
import type { Sandbox, SandboxDriver, SandboxRequest } from "../sandbox.ts";
import { throwIfDiskFull } from "./disk-full.ts";
import { type HeldDirectory, holdDirectory } from "./held-directory.ts";
import { hostEnvironment } from "./host-environment.ts";
import { directoryPrefix, removeTree, sweepLeftovers, writeOwner } from "./leftovers.ts";
import { createTempdirSandbox } from "./sandbox.ts";

/** To be shown once per run that uses this driver. */
export const tempdirNotice =
  "the tempdir driver is no security boundary: tasks run as you, on this machine, with your files and your network; use docker for tasks you do not trust";

export interface TempdirDriverOptions {
  readonly runId: string;
  /** The host's environment; only a short list of it reaches a task (`host-environment.ts`). */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute directory for the sandboxes, e.g. `os.tmpdir()`. */
  readonly tmpDir: string;
  readonly log: (line: string) => void;
  /** Between SIGTERM and SIGKILL of a command that ran out of time. Default 5,000. */
  readonly killGraceMs?: number | undefined;
}

/** Sandboxes that are directories and process groups of this machine. */
export function createTempdirDriver(options: TempdirDriverOptions): SandboxDriver {
  const live = new Set<Sandbox>();
  const base = hostEnvironment(options.env);

  const start = async (request: SandboxRequest, signal: AbortSignal): Promise<Sandbox> => {
    signal.throwIfAborted();
    mustRunHere(request.kits ?? []);
    const id = randomBytes(12).toString("hex");
    const root = await makeRoot(options.tmpDir);
    const held: HeldDirectory[] = [];
    const hold = (directory: string): HeldDirectory => {
      const one = holdDirectory(directory);
      held.push(one);
      return one;
    };
    try {
      // Ownership first: whatever happens from here on, a later run can tell that this directory is dead.
      await writeOwner(root, { sandbox: id, run: options.runId, expiresAt: Date.now() + request.lifeSeconds * 1000 });
      const [controlDir, supportDir] = [join(root, "control"), join(root, "support")];
      const wanted = request.directory ?? join(root, "work");
      await Promise.all([mkdir(controlDir, { mode: 0o700 }), mkdir(supportDir, { mode: 0o700 }), makeWorkDir(wanted)]);
      const workDir = await realpath(wanted);
      signal.throwIfAborted();
      const sandbox = createTempdirSandbox({
        key: request.key,
        id,
        root: hold(root),
        work: hold(workDir),
        givenDirectory: request.directory,
        support: hold(supportDir),
        controlDir,
        env: { ...base, ...request.env },
        killGraceMs: options.killGraceMs ?? 5000,
        log: request.log,
        kits: request.kits ?? [],
        onStopped: () => {
          clearTimeout(endOfLife);
          live.delete(sandbox);
        },
      });
      const endOfLife = setTimeout(() => void sandbox.stop(), clampTimer(request.lifeSeconds * 1000));
      endOfLife.unref();
      live.add(sandbox);
      request.log(`tempdir sandbox of ${request.key}: ${workDir}`);
      return sandbox;
    } catch (error) {
      for (const one of held) one.close();
      await removeTree(root);
      throw error;
    }
  };

  return {
    kind: "tempdir",
    platform: `${process.platform}-${process.arch}`,
    prepare: async (_request, signal) => signal.throwIfAborted(),
    start,
    answers: async () => true,
    sweep: async () => await sweepLeftovers(options.tmpDir, Date.now(), options.log),
    killAll: async () => {
      await Promise.all([...live].map((sandbox) => sandbox.stop()));
    },
    close: () => {},
  };
}

/** @throws SandboxSetupError `image-libc` */
function mustRunHere(kits: readonly Kit[]): void {
  for (const kit of kits) {
    if (kit.loader === undefined || existsSync(kit.loader)) continue;
    throw missingLoader(
      "this machine",
      kit,
      muslLoaders.some((path) => existsSync(path)),
    );
  }
}

async function makeRoot(tmpDir: string): Promise<string> {
  try {
    // Real path: on macOS the temporary directory is behind a link, and paths are compared as text later on.
    return await mkdtemp(join(await realpath(tmpDir), directoryPrefix));
  } catch (error) {
    throwIfDiskFull(error, tmpDir);
    throw new EnvironmentError("no-temporary-directory", `cannot make a sandbox directory in ${tmpDir}`, {
      cause: error,
      hint: "make room there, or set TMPDIR to a directory that you can write",
    });
  }
}

/** Private while the task runs; what leads there is as everything else around it. */
async function makeWorkDir(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await mkdir(path, { recursive: true, mode: 0o700 });
}
