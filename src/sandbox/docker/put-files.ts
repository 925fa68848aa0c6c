import { posix } from "node:path";
import { Readable } from "node:stream";
import { type Pack, pack } from "tar-stream";
import { SandboxSetupError } from "../../errors.ts";
import type { FileEntry } from "../sandbox.ts";
import { isPlainPath } from "../tempdir/put-files.ts";
import type { ContainerRef } from "./archive.ts";
import { lostBy, type TaskContainer } from "./container.ts";
import type { NeededDirectory } from "./profile.ts";
import { resolveInContainer } from "./resolve.ts";

/**
 * Writes entries below `destination`, which must end inside of one of `roots` whatever links the task has laid there. They belong to the
 * sandbox's user. One upload, streamed.
 * @param pristine nothing has run in the container yet, so that there are no links to look for
 * @throws SandboxSetupError `put-outside` for a place outside or a path with `..`, `put-failed` with the cause; SandboxLostError
 */
export async function putFilesInto(
  container: TaskContainer,
  roots: readonly string[],
  destination: string,
  entries: Iterable<FileEntry> | AsyncIterable<FileEntry>,
  pristine: boolean,
): Promise<void> {
  const root = roots.find((one) => destination === one || destination.startsWith(`${one}/`));
  if (root === undefined) throw outside(destination);
  const base = posix.relative(root, posix.normalize(destination));
  if (base === ".." || base.startsWith("../")) throw outside(destination);
  const tar = pack();
  const owner = { uid: container.user.uid, gid: container.user.gid };
  const made = new Map<string, string>([[".", root]]);

  /** The real directory for a path below `root`; packed with its parents where it is missing. */
  const directory = async (relative: string): Promise<string> => {
    const known = made.get(relative);
    if (known !== undefined) return known;
    const parent = await directory(posix.dirname(relative));
    let path = posix.join(parent, posix.basename(relative));
    const found = pristine ? { kind: "missing" as const, path } : await resolveInContainer(container, root, path);
    if (found.kind === "outside") throw outside(relative);
    if (found.kind === "found" && found.stat.kind !== "directory") throw failed(`the directory ${relative}: a file is in the way`);
    if (found.kind === "found") path = found.path;
    else await add(tar, { name: `${path}/`, type: "directory", mode: 0o755, ...owner });
    made.set(relative, path);
    return path;
  };
  const produce = async (): Promise<void> => {
    if (root !== container.workDir) await add(tar, { name: `${root}/`, type: "directory", mode: 0o755, ...owner });
    await directory(posix.normalize(base === "" ? "." : base));
    for await (const entry of entries) {
      if (!isPlainPath(entry.path)) throw outside(entry.path);
      const relative = posix.join(base, entry.path);
      if (entry.kind === "directory") {
        await add(tar, { name: `${await directory(relative)}/`, type: "directory", mode: entry.mode & 0o777, ...owner });
        continue;
      }
      const name = posix.join(await directory(posix.dirname(relative)), posix.basename(relative));
      if (entry.kind === "symlink") await add(tar, { name, type: "symlink", linkname: entry.target, mode: 0o777, ...owner });
      else await addFile(tar, name, entry, owner);
      made.delete(relative);
    }
    tar.finalize();
  };
  try {
    await Promise.all([
      produce().catch((error: unknown) => {
        tar.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      }),
      upload(container, tar),
    ]);
  } catch (error) {
    if (error instanceof SandboxSetupError) throw error;
    throw (
      (await lostBy(error, container)) ?? new SandboxSetupError("put-failed", `cannot write files into ${destination}`, { cause: error })
    );
  }
}

/** Makes directories in a container that may not run yet. */
export async function putDirectories(container: ContainerRef, directories: readonly NeededDirectory[]): Promise<void> {
  const tar = pack();
  for (const { path, mode, uid, gid } of directories) tar.entry({ name: `${path}/`, type: "directory", mode, uid, gid });
  tar.finalize();
  await upload(container, tar);
}

/** Names are absolute paths; the engine unpacks below `/`, inside the container's own file system. */
async function upload(container: ContainerRef, tar: Pack): Promise<void> {
  const query = { path: "/", noOverwriteDirNonDir: true };
  await container.client.call({ method: "PUT", path: `/containers/${container.id}/archive`, query, upload: Readable.from(tar) });
}

function add(tar: Pack, headers: Parameters<Pack["entry"]>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry({ ...headers, name: headers.name.replace(/^\/+/, "") }, (error) => (error ? reject(error) : resolve()));
  });
}

async function addFile(
  tar: Pack,
  name: string,
  entry: Extract<FileEntry, { kind: "file" }>,
  owner: { uid: number; gid: number },
): Promise<void> {
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

function failed(what: string): SandboxSetupError {
  return new SandboxSetupError("put-failed", `cannot make ${what}`);
}
