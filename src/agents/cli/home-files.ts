import { posix } from "node:path";
import type { FileEntry } from "../../sandbox/sandbox.ts";

/** Below an agent's home: what a command line refers to. */
export const ownDir = ".evalbatch-agent";

/** A text file below the home that only the agent's user can read. */
export function homeFile(path: string, text: string): FileEntry {
  return { kind: "file", path, mode: 0o600, content: Buffer.from(text) };
}

export function homeJson(path: string, value: unknown): FileEntry {
  return homeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

/** Directories with the last part of their path as a name; a second one of the same name gets a number. */
export function namedDirs(dirs: readonly string[]): readonly { readonly name: string; readonly dir: string }[] {
  const taken = new Set<string>();
  return dirs.map((dir) => {
    const base = posix.basename(dir) || "plugin";
    let name = base;
    for (let count = 2; taken.has(name); count += 1) name = `${base}-${count}`;
    taken.add(name);
    return { name, dir };
  });
}
