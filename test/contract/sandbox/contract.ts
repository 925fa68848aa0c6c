import assert from "node:assert/strict";
import type { ExecRequest, ExecResult, FileEntry, Sandbox } from "../../../src/sandbox/sandbox.ts";

/** One kind of sandbox that the contract is held against. */
export interface Subject {
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<Sandbox>;
}

export interface CaseContext {
  /** Shared by many cases: leave nothing running. */
  readonly sandbox: Sandbox;
  /** Directory of this case in `workDir`, empty at the start; relative. */
  readonly dir: string;
  /** A sandbox for this case alone; stopped afterwards. */
  readonly fresh: (env?: Readonly<Record<string, string>>) => Promise<Sandbox>;
  /** An empty directory of the host; removed afterwards. */
  readonly hostDir: () => Promise<string>;
}

export interface ContractCase {
  /** A sentence about behaviour. */
  readonly name: string;
  readonly run: (context: CaseContext) => Promise<void>;
}

const never = new AbortController().signal;

/** Runs a shell line with plenty of time and room. */
export async function sh(sandbox: Sandbox, line: string, more: Partial<ExecRequest> = {}): Promise<ExecResult> {
  return await sandbox.exec({ command: { shell: line }, timeoutMs: 60_000, maxOutputBytes: 1_000_000, signal: never, ...more });
}

/** Standard output of a line that must succeed. */
export async function out(sandbox: Sandbox, line: string, more: Partial<ExecRequest> = {}): Promise<string> {
  const result = await sh(sandbox, line, more);
  assert.deepEqual(
    { ...result, durationMs: 0, output: result.output.stderr },
    { kind: "exited", exitCode: 0, durationMs: 0, output: "" },
    line,
  );
  return result.output.stdout;
}

export function exitCodeOf(result: ExecResult): number | string {
  return result.kind === "exited" ? result.exitCode : result.kind;
}

export function file(path: string, content: string | Uint8Array, mode = 0o644): FileEntry {
  return { kind: "file", path, mode, content: typeof content === "string" ? Buffer.from(content) : content };
}

/** Text of a file that must be there. */
export async function textOf(sandbox: Sandbox, path: string): Promise<string> {
  const read = await sandbox.readFile(path, 10_000_000);
  assert.equal(read.kind, "read", path);
  return read.kind === "read" ? Buffer.from(read.bytes).toString("utf8") : "";
}

/** Waits for what comes about by itself, 20 s at most. */
export async function until(what: string, happened: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000;
  while (!(await happened())) {
    if (Date.now() > end) throw new Error(`did not happen within 20 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
