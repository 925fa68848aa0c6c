import type { Readable } from "node:stream";
import type { Kit } from "../kits/kit-recipe.ts";
import type { SandboxConfig } from "../plan/schema/task-schema.ts";

/** Everything that a driver needs to know to start one task's sandbox. */
export interface SandboxRequest {
  /** `<variant>/<task_id>/<NN>`: goes into labels and messages. */
  readonly key: string;
  readonly taskId: string;
  readonly config: SandboxConfig;
  /** Absolute directory of the task file: base of `dockerfile_path`. */
  readonly taskDir: string;
  /** Variables for every process of the sandbox, already allow-listed (`environment.ts`). */
  readonly env: Readonly<Record<string, string>>;
  /** The sandbox ends itself after this many seconds, whatever becomes of us. */
  readonly lifeSeconds: number;
  /** A coding agent works in it: where the task names no image, it gets one with the tools that agents use. */
  readonly isForAgent?: boolean | undefined;
  /** Programs to bring in, read-only. */
  readonly kits?: readonly Kit[] | undefined;
  /** Tempdir driver: work in this absolute directory (DIRECT_WRITE) instead of one of its own. */
  readonly directory?: string | undefined;
  /** One line for `docker.log`. */
  readonly log: (line: string) => void;
}

/** Starts sandboxes of one kind. One instance per run. */
export interface SandboxDriver {
  readonly kind: "docker" | "tempdir";
  /** Where its programs run, e.g. `linux-x64`: of the engine's machine, not of this one. Kits are fetched for it. */
  readonly platform?: string | undefined;
  /**
   * Pulls or builds what the request needs; safe to call many times, each image is made once.
   * @throws ImageBuildError, EnvironmentError, DeadlineError
   */
  prepare(request: SandboxRequest, signal: AbortSignal): Promise<void>;
  /** @throws EnvironmentError, SandboxLostError, or the signal's reason. A half-built sandbox is removed before it throws. */
  start(request: SandboxRequest, signal: AbortSignal): Promise<Sandbox>;
  /** Whether sandboxes can still be started: asked when one was lost, to tell a lost engine from a lost container. Never throws. */
  answers(): Promise<boolean>;
  /** Removes what dead runs left behind. Gives how many things were removed; never throws. */
  sweep(): Promise<number>;
  /** Kills and removes everything of this run, in parallel, for the emergency exit. Never throws. */
  killAll(): Promise<void>;
  /** Lets go of connections and watches; the last thing that is asked of a driver. Sandboxes stay as they are. */
  close(): void;
}

export interface ExecRequest {
  /** argv, or a line for `/bin/sh -c`. */
  readonly command: readonly string[] | { readonly shell: string };
  /** Added to the sandbox's environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Absolute, or relative to `workDir`. Default `workDir`. */
  readonly cwd?: string | undefined;
  /** Default: empty and closed. */
  readonly stdin?: string | undefined;
  /** Milliseconds until the process group gets SIGTERM, then SIGKILL. */
  readonly timeoutMs: number;
  /** Bytes kept per stream (the rest is read and counted). */
  readonly maxOutputBytes: number;
  readonly onOutput?: ((stream: "stdout" | "stderr", text: string) => void) | undefined;
  readonly signal: AbortSignal;
}

export interface CapturedOutput {
  /** UTF-8 with replacement characters; whole characters even where a read cut one. */
  readonly stdout: string;
  readonly stderr: string;
  /** Bytes that came beyond `maxOutputBytes`. */
  readonly droppedBytes: number;
}

/** How a command ended. A lost sandbox is a `SandboxLostError`, an abort rejects with the signal's reason: neither is a result. */
export type ExecResult =
  | {
      readonly kind: "exited";
      readonly exitCode: number;
      /** Set when the kernel's memory killer ended it; `unknown` when something else sent SIGKILL. */
      readonly killedBy?: "out of memory" | "unknown" | undefined;
      readonly durationMs: number;
      readonly output: CapturedOutput;
    }
  | { readonly kind: "timed out"; readonly afterMs: number; readonly durationMs: number; readonly output: CapturedOutput };

/** What stands at a path of the sandbox, links followed. `outside`: the path or a link leads out of `workDir`. */
export type PathKind = "file" | "directory" | "other" | "missing" | "outside";

export type FileRead =
  | { readonly kind: "read"; readonly bytes: Uint8Array }
  | { readonly kind: Exclude<PathKind, "file"> }
  | { readonly kind: "too large"; readonly bytes: number };

/** A file to put into the sandbox. `path` is relative, POSIX, without `..`. */
export type FileEntry =
  | {
      readonly kind: "file";
      readonly path: string;
      readonly mode: number;
      readonly content: Uint8Array | { readonly size: number; open(): Readable };
    }
  | { readonly kind: "directory"; readonly path: string; readonly mode: number }
  | { readonly kind: "symlink"; readonly path: string; readonly target: string };

export interface ExportOptions {
  /** The files are not needed in the sandbox any more: a driver may move instead of copy. */
  readonly move?: boolean | undefined;
  /** Names (one path part each, `*` at either end) that stay behind, e.g. `.venv`. */
  readonly exclude: readonly string[];
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface ExportReport {
  readonly files: number;
  readonly bytes: number;
  /** What was left out and why (link, device, over the size cap, hostile name), at most 1,000 entries. */
  readonly leftOut: readonly { readonly path: string; readonly reason: string }[];
  readonly leftOutCount: number;
}

export interface QuiesceReport {
  /** Processes that were still there and had to be killed. */
  readonly killed: number;
}

/** What the sandbox really is, for `task.json` and messages. */
export interface SandboxFacts {
  readonly driver: "docker" | "tempdir";
  readonly image?: string | undefined;
  readonly imageId?: string | undefined;
  readonly containerId?: string | undefined;
  readonly engineVersion?: string | undefined;
  /** Limits as the engine reports them after start; bytes, CPUs. */
  readonly limits?:
    | { readonly memoryBytes?: number | undefined; readonly cpus?: number | undefined; readonly pids?: number | undefined }
    | undefined;
}

/** One task's place of work. Stopping is idempotent and never throws. */
export interface Sandbox extends AsyncDisposable {
  readonly driver: "docker" | "tempdir";
  /** Absolute path inside the sandbox. */
  readonly workDir: string;
  /** Absolute path inside the sandbox, outside of `workDir`, for files of ours (prompt, task directory): `/evalbatch` in a container. */
  readonly supportDir: string;
  /** Absolute path inside the sandbox of a kit of the request (its launcher is `bin/<name>` below it); undefined when it has none of that name. */
  kitDir(name: string): string | undefined;
  readonly facts: SandboxFacts;
  /** @throws SandboxLostError, or the signal's reason */
  exec(request: ExecRequest): Promise<ExecResult>;
  /** `path` relative to `workDir`, or absolute inside it. An aborted signal, here and below, rejects with its reason. */
  kindOf(path: string, signal?: AbortSignal): Promise<PathKind>;
  readFile(path: string, maxBytes: number, signal?: AbortSignal): Promise<FileRead>;
  /**
   * Paths relative to `workDir` that match, sorted by code point. Links are not followed. `*`, `?`, `[…]`, `**`.
   * @throws TooLargeError when the files are too large to be searched
   */
  glob(pattern: string, signal?: AbortSignal): Promise<string[]>;
  /** Puts entries below `destination` (absolute, or relative to `workDir`), made if missing, owned by the sandbox's user. */
  putFiles(entries: Iterable<FileEntry> | AsyncIterable<FileEntry>, destination?: string, signal?: AbortSignal): Promise<void>;
  /** Copies `workDir` into a host directory: regular files and directories only, nothing outside of it. */
  exportTo(hostDir: string, options: ExportOptions): Promise<ExportReport>;
  /** Makes sure that nothing but us runs inside: to be called before grading. */
  quiesce(signal: AbortSignal): Promise<QuiesceReport>;
  /** Whether the memory limit killed a process of this sandbox so far. */
  wasOutOfMemory(): Promise<boolean>;
  stop(): Promise<void>;
}
