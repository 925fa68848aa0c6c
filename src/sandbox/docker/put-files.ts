import { posix } from "node:path";
import { Readable } from "node:stream";
import { type Pack, pack } from "tar-stream";
import { errorMessage, SandboxSetupError } from "../../errors.ts";
import type { FileEntry } from "../sandbox.ts";
import { isPlainPath } from "../tempdir/put-files.ts";
import type { Walked } from "../walk-inside.ts";
import { type ArchiveStat, type ContainerRef, statPath } from "./archive.ts";
import { lostBy, type TaskContainer } from "./container.ts";
import type { NeededDirectory } from "./profile.ts";
import { resolveInContainer } from "./resolve.ts";

interface Owner {
  readonly uid: number;
  readonly gid: number;
}

interface Placed {
  readonly entry: FileEntry;
  /** Absolute, links on the way resolved. */
  readonly path: string;
}

/**
 * Writes entries below `destination`, which must end inside of one of `roots` whatever links the task has laid there. They belong to the
 * sandbox's user. First all places are looked up, then comes one upload: the engine locks a container while it unpacks, so that a question
 * in between would wait for ever.
 * @param pristine nothing has run in the container yet, so that there are no links to look for
 * @returns whether links were among them
 * @throws SandboxSetupError `put-outside` for a place outside or a path with `..`, `put-failed` with the cause; SandboxLostError
 */
export async function putFilesInto(
  container: TaskContainer,
  roots: readonly string[],
  destination: string,
  entries: Iterable<FileEntry> | AsyncIterable<FileEntry>,
  pristine: boolean,
): Promise<{ links: boolean }> {
  const root = roots.find((one) => destination === one || destination.startsWith(`${one}/`));
  if (root === undefined) throw outside(destination);
  const base = posix.relative(root, posix.normalize(destination));
  if (base === ".." || base.startsWith("../")) throw outside(destination);
  const directories = createDirectories(container, root, pristine);
  try {
    const placed: Placed[] = [];
    const links = new Set<string>();
    await directories.find(base === "" ? "." : base);
    for await (const entry of entries) {
      if (!isPlainPath(entry.path)) throw outside(entry.path);
      const relative = posix.join(base, entry.path);
      if (ancestors(relative).some((one) => links.has(one))) throw outside(relative);
      if (entry.kind === "symlink") links.add(relative);
      const parent = await directories.find(posix.dirname(relative));
      const path = entry.kind === "directory" ? await directories.find(relative) : posix.join(parent, posix.basename(relative));
      placed.push({ entry, path });
    }
    await upload(container, await directories.missing(), placed, { uid: container.user.uid, gid: container.user.gid });
    return { links: links.size > 0 };
  } catch (error) {
    if (error instanceof SandboxSetupError) throw error;
    throw (await lostBy(error, container)) ?? failed(`cannot write files into ${destination}: ${errorMessage(error)}`, error);
  }
}

/** Real directories for paths below `root`, and which of them are to be made. */
function createDirectories(container: TaskContainer, root: string, pristine: boolean) {
  const known = new Map<string, string>([[".", root]]);
  const toMake: string[] = [];
  const find = async (relative: string): Promise<string> => {
    const done = known.get(relative);
    if (done !== undefined) return done;
    const wanted = posix.join(await find(posix.dirname(relative)), posix.basename(relative));
    const found: Walked<ArchiveStat> = pristine ? { kind: "missing", path: wanted } : await resolveInContainer(container, root, wanted);
    if (found.kind === "outside") throw outside(relative);
    if (found.kind === "found" && found.info.kind !== "directory")
      throw failed(`cannot make the directory ${relative}: a file is in the way`);
    const path = found.path ?? wanted;
    if (found.kind === "missing") toMake.push(path);
    known.set(relative, path);
    return path;
  };
  return {
    find,
    /** Parents first. */
    async missing(): Promise<readonly string[]> {
      const top = root === container.workDir || (await statPath(container, root)) !== undefined ? [] : [root];
      return [...top, ...toMake];
    },
  };
}

function ancestors(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}

/** Makes directories in a container that may not run yet. */
export async function putDirectories(container: ContainerRef, directories: readonly NeededDirectory[]): Promise<void> {
  const tar = pack();
  for (const { path, mode, uid, gid } of directories) tar.entry({ name: `${path}/`, type: "directory", mode, uid, gid });
  tar.finalize();
  await send(container, tar);
}

async function upload(container: ContainerRef, directories: readonly string[], files: readonly Placed[], owner: Owner): Promise<void> {
  const tar = pack();
  const produce = async (): Promise<void> => {
    for (const path of directories) await add(tar, { name: `${path}/`, type: "directory", mode: 0o755, ...owner });
    for (const { entry, path } of files) {
      if (entry.kind === "directory") await add(tar, { name: `${path}/`, type: "directory", mode: entry.mode & 0o777, ...owner });
      else if (entry.kind === "symlink") await add(tar, { name: path, type: "symlink", linkname: entry.target, mode: 0o777, ...owner });
      else await addFile(tar, path, entry, owner);
    }
    tar.finalize();
  };
  const produced = produce().catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  });
  await Promise.all([produced, send(container, tar)]);
}

/** Names are absolute paths; the engine unpacks below `/`, inside the container's own file system. */
async function send(container: ContainerRef, tar: Pack): Promise<void> {
  const query = { path: "/", noOverwriteDirNonDir: true };
  await container.client.call({ method: "PUT", path: `/containers/${container.id}/archive`, query, upload: Readable.from(tar) });
}

function add(tar: Pack, headers: Parameters<Pack["entry"]>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ ...headers, name: headers.name.replace(/^\/+/, "") }, (error) => (error ? reject(error) : resolve()));
  });
}

async function addFile(tar: Pack, name: string, entry: Extract<FileEntry, { kind: "file" }>, owner: Owner): Promise<void> {
  const { content } = entry;
  const size = content instanceof Uint8Array ? content.length : content.size;
  const headers = { name: name.replace(/^\/+/, ""), type: "file", mode: entry.mode & 0o777, size, ...owner } as const;
  if (content instanceof Uint8Array) {
    await new Promise<void>((resolve, reject) => {
      tar.entry(headers, Buffer.from(content), (error) => (error ? reject(error) : resolve()));
    });
  } else {
    const sink = tar.entry(headers);
    for await (const chunk of content.open()) if (!sink.write(chunk)) await drained(sink);
    sink.end(null);
  }
}

/** Settles on an upload that broke too: nothing would drain any more. */
function drained(sink: ReturnType<Pack["entry"]>): Promise<void> {
  return new Promise((resolve) => {
    sink.once("drain", () => resolve());
    sink.once("close", () => resolve());
  });
}

function outside(path: string): SandboxSetupError {
  return new SandboxSetupError("put-outside", `will not write outside of the sandbox: ${path}`);
}

function failed(what: string, cause?: unknown): SandboxSetupError {
  return new SandboxSetupError("put-failed", what, { cause });
}
