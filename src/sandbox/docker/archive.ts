import type { Header } from "tar-stream";
import { linkTargetOf, readTar, type TarEntry } from "../tar-reader.ts";
import type { EngineClient } from "./client.ts";
import { hasStatus } from "./engine-error.ts";
import { containerSchema, pathStatSchema } from "./responses.ts";

/** A container and the engine that has it. */
export interface ContainerRef {
  readonly client: EngineClient;
  readonly id: string;
}

/** What stands at a path of a container, links not followed. */
export interface ArchiveStat {
  readonly kind: "file" | "directory" | "link" | "other";
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
}

// Bits of Go's `os.FileMode`.
const goDirectory = 1 << 31;
const goSymlink = 1 << 27;
/** Device, named pipe, socket, character device, irregular. */
const goOther = (1 << 26) | (1 << 25) | (1 << 24) | (1 << 21) | (1 << 19);

/** Looks at one path through the engine, so that nothing inside has to be run or trusted. `undefined`: nothing is there. */
export async function statPath(container: ContainerRef, path: string): Promise<ArchiveStat | undefined> {
  try {
    const headers = await container.client.call({ method: "HEAD", path: `/containers/${container.id}/archive`, query: { path } });
    const text = Buffer.from(String(headers["x-docker-container-path-stat"] ?? ""), "base64").toString();
    const { mode, size } = pathStatSchema.parse(JSON.parse(text));
    return { kind: kindOfMode(mode), size, mode: mode & 0o777 };
  } catch (error) {
    // 400: a part on the way is no directory. 500: a loop of links, a name that is too long.
    if (hasStatus(error, 400)) return undefined;
    if (hasStatus(error, 404, 500) && (await isWhole(container, error))) return undefined;
    throw error;
  }
}

/**
 * Whether the files of a container can be asked for: one that has ended is without what was mounted, and one that is being removed loses its
 * files one by one. A missing path and a missing container have the same status, and only one of them is an answer.
 */
async function isWhole(container: ContainerRef, missing: unknown): Promise<boolean> {
  try {
    const path = `/containers/${container.id}/json`;
    const { Running, Status } = (await container.client.json(containerSchema, { method: "GET", path, timeoutMs: 30_000 })).State;
    // One that has not run yet has its image's files.
    return Running || Status === "created";
  } catch (error) {
    if (hasStatus(error, 404)) throw missing;
    throw error;
  }
}

function kindOfMode(mode: number): ArchiveStat["kind"] {
  if ((mode & goDirectory) !== 0) return "directory";
  if ((mode & goSymlink) !== 0) return "link";
  return (mode & goOther) !== 0 ? "other" : "file";
}

/** The entries of a path's archive, one after the other; leaving the loop early closes the connection. */
export async function* readArchive(container: ContainerRef, path: string): AsyncGenerator<TarEntry, void, void> {
  yield* readTar(await container.client.stream({ method: "GET", path: `/containers/${container.id}/archive`, query: { path } }));
}

/** The first entry's header: for a directory or a link its own. */
export async function firstHeader(container: ContainerRef, path: string): Promise<Header | undefined> {
  for await (const { header } of readArchive(container, path)) return header;
  return undefined;
}

/** Where a link leads, links not followed; `undefined` when it is none. */
export async function readLink(container: ContainerRef, path: string): Promise<string | undefined> {
  const header = await firstHeader(container, path);
  return header?.type === "symlink" ? linkTargetOf(header) : undefined;
}

/** A small file, links not followed; `undefined` when there is none or it is larger than `maxBytes`. */
export async function readSmallFile(container: ContainerRef, path: string, maxBytes: number): Promise<string | undefined> {
  try {
    for await (const { header, content } of readArchive(container, path)) {
      if (header.type !== "file" || header.size > maxBytes) return undefined;
      const chunks: Uint8Array[] = [];
      for await (const chunk of content) chunks.push(chunk);
      return Buffer.concat(chunks).toString("utf8");
    }
    return undefined;
  } catch (error) {
    if (hasStatus(error, 404)) return undefined;
    throw error;
  }
}
