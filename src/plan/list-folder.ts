import { readdir as nodeReaddir } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isMissing, readFailure } from "./read-failure.ts";
import { statsOf } from "./stats-of.ts";

interface FolderEntry {
  readonly name: string;
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** Folders that could not be looked into: absolute paths, and why. What lies below would be left out without a word. */
export type ClosedFolders = Map<string, string>;

/**
 * What lies in a folder. A link to a folder is neither file nor folder, so that nobody follows it; everything else that is
 * no folder is a file, also a link to nothing or a pipe: who has one among his tasks wants to hear of it.
 * @param closed notes a folder that cannot be read, which then has no entries
 */
async function listFolder(folder: string, closed: ClosedFolders): Promise<readonly FolderEntry[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return await Promise.all(
      entries.map(async (entry) => {
        const leadsTo = entry.isSymbolicLink() ? await statsOf(join(folder, entry.name)) : undefined;
        return entryOf(entry.name, entry.isDirectory() ? "folder" : leadsTo?.isDirectory() === true ? "link" : "file");
      }),
    );
  } catch (error) {
    const why = readFailure(error);
    if (why === undefined) throw error;
    // What is not there holds nothing: a glob begins at any path.
    if (!isMissing(error)) closed.set(folder, why);
    return [];
  }
}

function entryOf(name: string, kind: "file" | "folder" | "link"): FolderEntry {
  return { name, isFile: () => kind === "file", isDirectory: () => kind === "folder", isSymbolicLink: () => kind === "link" };
}

type Listed = (error: unknown, entries?: readonly FolderEntry[]) => void;

/** The same in the place of Node's `readdir`, for a search that would pass over every link. */
export function readdirOf(closed: ClosedFolders): typeof nodeReaddir {
  return new Proxy(nodeReaddir, {
    apply: (_readdir, _this, [folder, _options, listed]: [string, unknown, Listed]): void => {
      listFolder(resolve(folder), closed).then((entries) => listed(null, entries), listed);
    },
  });
}

const yamlName = /\.ya?ml$/;
const ignored = new Set(["node_modules", ".git"]);

/** Every `.yaml` and `.yml` below a folder, absolute, but those in hidden folders, `.git` and `node_modules`. */
export async function yamlFilesBelow(folder: string, closed: ClosedFolders): Promise<readonly string[]> {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const entry of await listFolder(next, closed)) {
      if (entry.name.startsWith(".") || ignored.has(entry.name)) continue;
      if (entry.isDirectory()) waiting.push(join(next, entry.name));
      else if (entry.isFile() && yamlName.test(entry.name)) files.push(join(next, entry.name));
    }
  }
  return files;
}
