import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { InternalError } from "../errors.ts";
import type { Env } from "./environment.ts";

/** What the thread can be asked. */
export type ClientRequest =
  | {
      readonly kind: "upload";
      readonly name: string;
      /** Absolute. */
      readonly rootDir: string;
      /** Absolute. */
      readonly files: readonly string[];
      readonly retentionDays: number | undefined;
    }
  /** The artifacts of this workflow run, as the runner's token shows them. */
  | { readonly kind: "list" }
  | {
      readonly kind: "download";
      readonly id: number;
      /** Absolute; gets the zip file, under a name that the service chooses. */
      readonly directory: string;
      /** By GitHub's API, with this token; else by the runner's token, which reaches artifacts of this workflow run only. */
      readonly from:
        | { readonly repositoryOwner: string; readonly repositoryName: string; readonly runId: number; readonly token: string }
        | undefined;
    };

export interface ListedArtifact {
  readonly id: number;
  readonly name: string;
  /** Of the zip file. */
  readonly bytes: number;
  /** Milliseconds since 1970. */
  readonly createdAtMs: number | undefined;
  /** `sha256:…` of the zip file. */
  readonly digest: string | undefined;
}

export type ClientAnswer =
  | { readonly kind: "uploaded"; readonly id: number; readonly bytes: number; readonly digest: string }
  | { readonly kind: "listed"; readonly artifacts: readonly ListedArtifact[] }
  | { readonly kind: "downloaded" }
  | { readonly kind: "failed"; readonly message: string };

export interface ArtifactClient {
  /** One request at a time. Never rejects else: a thread that dies is a failed request. */
  ask(request: ClientRequest): Promise<ClientAnswer>;
  /** Warnings of GitHub's client so far, e.g. about a retention longer than the repository allows. */
  readonly warnings: ReadonlySet<string>;
  /** Ends the thread, whatever it is at: open requests, waits between tries. */
  stop(): void;
}

/** Options of the process, which a thread may refuse; and the event's file, which the client reads whole though it needs nothing of it. */
const notForThread: ReadonlySet<string> = new Set(["NODE_OPTIONS", "GITHUB_EVENT_PATH"]);

/**
 * Starts GitHub's artifact client in a thread of its own.
 *
 * A thread because the client reads its settings from the environment of the process, prints a page of progress to the job log,
 * throws out of an event handler when a file cannot be read (which would end the process, and the verdict with it), and cannot
 * be stopped. And the megabytes of its code are read only when there is something to do.
 * @param log gets what the client prints, for a job with debug logging
 */
export function startArtifactClient(env: Env, log: (text: string) => void): ArtifactClient {
  const worker = new Worker(workerUrl(import.meta.url), {
    name: "artifact client",
    env: Object.fromEntries(Object.entries(env).filter(([name, value]) => value !== undefined && !notForThread.has(name))),
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const warnings = new Set<string>();
  const errors = new Set<string>();
  readLines(worker.stdout, (line) => {
    const { command, text } = readCommand(line);
    // Signatures need no mask: nothing that the client prints reaches the log with one in it.
    if (command === "add-mask") return;
    if (command === "warning") warnings.add(text);
    if (command === "error") errors.add(text);
    log(text);
  });
  readLines(worker.stderr, log);

  let ended: string | undefined;
  let pending: ((answer: ClientAnswer) => void) | undefined;
  const settle = (answer: ClientAnswer): void => {
    const resolve = pending;
    pending = undefined;
    resolve?.(answer);
  };
  worker.on("message", (answer: ClientAnswer) => settle(answer));
  // Always followed by `exit`, before which the last output arrives.
  worker.on("error", (error) => errors.add(error instanceof Error ? error.message : String(error)));
  worker.on("exit", () => {
    ended = [...errors].join(": ") || "the artifact client ended before it was done";
    settle({ kind: "failed", message: ended });
  });
  return {
    warnings,
    ask: (request) =>
      new Promise((resolve, reject) => {
        if (pending !== undefined) {
          reject(new InternalError("one request at a time"));
          return;
        }
        pending = resolve;
        if (ended === undefined) worker.postMessage(request);
        else settle({ kind: "failed", message: ended });
      }),
    stop: () => void worker.terminate(),
  };
}

/** The thread's own door lies beside this module, and beside the bundle that this module is in; the bundler must not look for it. */
function workerUrl(base: string): URL {
  return new URL(`./artifact-worker${extname(base)}`, base);
}

function readLines(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) take(withoutSignature(line));
  });
}

/** A line that is a command for the runner, as `@actions/core` writes it: `::warning file=a::text`. */
function readCommand(line: string): { readonly command: string | undefined; readonly text: string } {
  const [, command, text] = /^::([a-z-]+)(?: [^:]*)?::(.*)$/.exec(line) ?? [];
  if (command === undefined || text === undefined) return { command: undefined, text: line };
  return { command, text: text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%") };
}

/** The URL of a blob is a permission to write or read it. */
export function withoutSignature(text: string): string {
  return text.replace(/\bsig=[^\s&"'<>\\]+/gi, "sig=…");
}
