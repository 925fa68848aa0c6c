import { compileGlob } from "../../src/sandbox/glob-match.ts";
import type { ExecRequest, ExecResult, FileRead, PathKind, Sandbox } from "../../src/sandbox/sandbox.ts";

/** Text or bytes of a file; `directory`, `other` (a pipe, a device) and `outside` (a link that leads out) are kinds without content. */
export type MemoryEntry = string | Uint8Array | { readonly kind: "directory" | "other" | "outside" };

export interface MemorySandboxOptions {
  readonly files?: Readonly<Record<string, MemoryEntry>>;
  readonly exec?: (request: ExecRequest) => Promise<ExecResult> | ExecResult;
}

/** How a command ended that wrote this and left with this code. */
export function exited(exitCode: number, stdout = "", stderr = "", droppedBytes = 0): ExecResult {
  return { kind: "exited", exitCode, durationMs: 1, output: { stdout, stderr, droppedBytes } };
}

/** A sandbox without a machine: files in a table, commands answered by a function. */
export function memorySandbox(options: MemorySandboxOptions = {}): Sandbox {
  const files = new Map(Object.entries(options.files ?? {}));
  const missing = (what: string) => Promise.reject(new Error(`the memory sandbox has no ${what}`));

  const kindOf = async (path: string): Promise<PathKind> => {
    if (path.startsWith("/") || path.split("/").includes("..")) return "outside";
    if (path === ".") return "directory";
    const entry = files.get(path);
    if (entry === undefined) return [...files.keys()].some((file) => file.startsWith(`${path}/`)) ? "directory" : "missing";
    return typeof entry === "string" || entry instanceof Uint8Array ? "file" : entry.kind;
  };
  const readFile = async (path: string, maxBytes: number): Promise<FileRead> => {
    const kind = await kindOf(path);
    if (kind !== "file") return { kind };
    const entry = files.get(path);
    const bytes = entry instanceof Uint8Array ? entry : new TextEncoder().encode(typeof entry === "string" ? entry : "");
    return bytes.length > maxBytes ? { kind: "too large", bytes: bytes.length } : { kind: "read", bytes };
  };
  return {
    driver: "tempdir",
    workDir: "/work",
    supportDir: "/support",
    kitDir: () => undefined,
    facts: { driver: "tempdir" },
    exec: async (request) => (options.exec === undefined ? await missing("commands") : await options.exec(request)),
    kindOf,
    readFile,
    glob: async (pattern) => [...files.keys()].filter((path) => compileGlob(pattern).matches(path, false)).sort(),
    putFiles: async () => await missing("uploads"),
    exportTo: async () => await missing("exports"),
    quiesce: async () => ({ killed: 0 }),
    wasOutOfMemory: async () => false,
    stop: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
