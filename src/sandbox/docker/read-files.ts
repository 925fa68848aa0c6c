import { posix } from "node:path";
import { TooLargeError } from "../../errors.ts";
import { extractTar } from "../extract-tar.ts";
import { compileGlob, hasGlobMagic } from "../glob-match.ts";
import type { ExportOptions, ExportReport, FileRead, PathKind } from "../sandbox.ts";
import { nameOf, placeOf } from "../tar-reader.ts";
import { type ArchiveStat, readArchive, statPath } from "./archive.ts";
import { assertRunning, type TaskContainer } from "./container.ts";
import { resolveInContainer } from "./resolve.ts";

export async function kindOfInContainer(container: TaskContainer, path: string): Promise<PathKind> {
  const found = await resolveInContainer(container, container.workDir, path);
  if (found.kind !== "found") return found.kind;
  return found.info.kind === "link" ? "missing" : found.info.kind;
}

/** Never waits: a fifo or device is told by its archive header. */
export async function readFileInContainer(container: TaskContainer, path: string, maxBytes: number): Promise<FileRead> {
  const found = await resolveInContainer(container, container.workDir, path);
  if (found.kind !== "found") return { kind: found.kind };
  if (found.info.kind !== "file") return { kind: found.info.kind === "directory" ? "directory" : "other" };
  if (found.info.size > maxBytes) return { kind: "too large", bytes: found.info.size };
  for await (const { header, content } of readArchive(container, found.path)) {
    if (header.type !== "file") return { kind: "other" };
    if (header.size > maxBytes) return { kind: "too large", bytes: header.size };
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    return { kind: "read", bytes: Buffer.concat(chunks) };
  }
  await assertRunning(container);
  return { kind: "missing" };
}

/** Bytes of content that are read past for the sake of the names. */
const maxSearchedBytes = 1024 ** 3;

/**
 * By the names of an archive: works without any tool in the image, and a hostile name cannot break a listing.
 * @throws TooLargeError when the files hold more than `maxBytes`, which all come with the names; a sparse one claims any size for nothing
 */
export async function globInContainer(container: TaskContainer, pattern: string, maxBytes = maxSearchedBytes): Promise<string[]> {
  const matcher = compileGlob(pattern);
  if (!matcher.mayMatchBelow("")) return [];
  const base = literalBase(pattern);
  const real = await walkWithoutLinks(container, base);
  if (real === undefined) return [];
  if (!hasGlobMagic(pattern)) {
    const path = base.join("/");
    return matcher.matches(path, real.kind === "directory") ? [path] : [];
  }
  const found: string[] = [];
  let bytes = 0;
  for await (const { header } of readArchive(container, real.path)) {
    bytes += header.size ?? 0;
    if (bytes > maxBytes) {
      throw new TooLargeError(
        `too large to search for '${pattern}': the files below '${base.join("/") || "."}' hold more than ${maxBytes} bytes`,
      );
    }
    const place = placeOf(nameOf(header));
    const path = place.problem === undefined ? [...base, ...place.parts].join("/") : "";
    if (path !== "" && matcher.matches(path, header.type === "directory")) found.push(path);
  }
  // The archive of a container that is being removed is whole, but not all of its files are in it.
  await assertRunning(container);
  return found.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** The directories before the first part with a wildcard: only their archive has to be read. */
function literalBase(pattern: string): string[] {
  const parts = pattern.split("/").filter((part) => part !== "" && part !== ".");
  const magic = parts.findIndex((part) => hasGlobMagic(part));
  return magic === -1 ? parts : parts.slice(0, magic);
}

/** What stands at the end if everything on the way is a plain directory. */
async function walkWithoutLinks(
  container: TaskContainer,
  parts: readonly string[],
): Promise<{ path: string; kind: ArchiveStat["kind"] } | undefined> {
  let path = container.workDir;
  // A task may have removed even that.
  let stat = await statPath(container, path);
  for (const part of parts) {
    if (stat?.kind !== "directory") return undefined;
    path = posix.join(path, part);
    stat = await statPath(container, path);
  }
  return stat === undefined ? undefined : { path, kind: stat.kind };
}

export async function exportFromContainer(container: TaskContainer, hostDir: string, options: ExportOptions): Promise<ExportReport> {
  const path = `/containers/${container.id}/archive`;
  const response = await container.client.stream({ method: "GET", path, query: { path: container.workDir }, signal: options.signal });
  return await extractTar(response, hostDir, options);
}
