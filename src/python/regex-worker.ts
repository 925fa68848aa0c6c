import { Worker } from "node:worker_threads";
import { InternalError } from "../errors.ts";
import { RegexTimeoutError } from "./python-error.ts";
import { runProgram } from "./regex-machine.ts";
import { machineTools } from "./regex-machine-tools.ts";
import type { Program } from "./regex-program.ts";
import { type Spans, searchText } from "./regex-search.ts";

export interface Search {
  readonly program: Program;
  /** For messages. */
  readonly pattern: string;
  readonly subject: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

interface Job {
  readonly search: Search;
  readonly resolve: (spans: Spans | undefined) => void;
  readonly reject: (reason: unknown) => void;
  readonly abort: () => void;
  timer?: NodeJS.Timeout | undefined;
}

type Answer =
  | { readonly kind: "started" }
  | { readonly kind: "done"; readonly result: Spans | "memory" | undefined }
  | { readonly kind: "failed"; readonly message: string };

/** Words of backtracking per search (128 MB), before a last doubling. */
const maxWords = 1 << 25;

/**
 * Runs searches in one worker thread, which starts with the first of them, one at a time and in the order of the calls.
 * A search that is cut off takes the worker with it; the next one gets a new one. An idle worker does not keep the
 * process alive.
 */
export class RegexSearcher {
  #queue: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;

  /** @throws RegexTimeoutError, or the signal's reason */
  search(search: Search): Promise<Spans | undefined> {
    return new Promise((resolve, reject) => {
      const { signal } = search;
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const job: Job = { search, resolve, reject, abort: () => this.#cut(job, signal?.reason) };
      signal?.addEventListener("abort", job.abort, { once: true });
      this.#queue.push(job);
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#running !== undefined) return;
    const job = this.#queue.shift();
    if (job === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#startWorker();
    this.#worker.ref();
    this.#worker.postMessage({ program: job.search.program, subject: job.search.subject, maxWords });
  }

  #startWorker(): Worker {
    // The product is a single file: there is no second one that a worker could be started from.
    const worker = new Worker(workerSource(), { eval: true, env: {}, execArgv: [], name: "regular expressions" });
    worker.on("message", (answer: Answer) => {
      if (worker === this.#worker && this.#running !== undefined) this.#take(this.#running, answer);
    });
    const lost = (cause: unknown) => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      const job = this.#running;
      if (job !== undefined) this.#end(job, () => job.reject(new InternalError("the thread for regular expressions ended", { cause })));
    };
    worker.on("error", lost);
    worker.on("exit", lost);
    return worker;
  }

  #take(job: Job, answer: Answer): void {
    if (answer.kind === "started") {
      const { pattern, timeoutMs } = job.search;
      // When this thread was busy itself, the answer may lie in the mailbox already: look there first.
      const late = () => setImmediate(() => this.#cut(job, new RegexTimeoutError(pattern, timeoutMs)));
      job.timer = setTimeout(late, timeoutMs);
    } else if (answer.kind === "failed") {
      this.#end(job, () => job.reject(new InternalError(`regular expression: ${answer.message}`)));
    } else {
      const { result } = answer;
      if (result === "memory") this.#end(job, () => job.reject(new RegexTimeoutError(job.search.pattern, job.search.timeoutMs, "memory")));
      else this.#end(job, () => job.resolve(result));
    }
  }

  /** Ends a search that waits or runs. */
  #cut(job: Job, reason: unknown): void {
    if (job === this.#running) {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    } else if (this.#queue.includes(job)) this.#queue = this.#queue.filter((other) => other !== job);
    else return;
    this.#end(job, () => job.reject(reason));
  }

  #end(job: Job, settle: () => void): void {
    clearTimeout(job.timer);
    job.search.signal?.removeEventListener("abort", job.abort);
    if (job === this.#running) this.#running = undefined;
    settle();
    this.#startNext();
  }
}

function workerSource(): string {
  const tools = Object.entries(machineTools).map(([name, tool]) => `${name}: ${tool}`);
  return `"use strict";
const { parentPort } = require("node:worker_threads");
const tools = { ${tools.join(",\n")} };
const run = ${runProgram};
const search = ${searchText};
parentPort.on("message", ({ program, subject, maxWords }) => {
  parentPort.postMessage({ kind: "started" });
  let answer;
  try {
    answer = { kind: "done", result: search(program, subject, maxWords, run, tools) };
  } catch (error) {
    answer = { kind: "failed", message: String(error) };
  }
  parentPort.postMessage(answer);
});`;
}
