import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { lstat, readdir, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { DockerConfig } from "../../plan/schema/docker-schema.ts";

const maxFiles = 20_000;
const maxBytes = 1024 ** 3;

/**
 * A digest of all that decides what a build makes: every file of the context (path, content, executable bit, link target; `.dockerignore`
 * is not applied, a superfluous build is harmless), the Dockerfile, the expanded arguments. `undefined` for a context too large to be read
 * for this: it is built each run, by the engine's own cache.
 * @throws the system's error when the context cannot be read, or the signal's reason
 */
export async function hashBuild(
  dockerfile: string,
  context: string,
  build: DockerConfig["build"],
  args: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const hash = createHash("sha256");
  const settings = [build.buildkit, Object.entries(args).sort(), build.secrets, build.extra_args];
  hash.update(`1 ${JSON.stringify(settings)}\n`);
  hash.update("Dockerfile\n");
  await addContent(hash, dockerfile);
  const left = { files: maxFiles, bytes: maxBytes };
  return (await addDirectory(hash, context, "", left, signal)) ? hash.digest("hex").slice(0, 24) : undefined;
}

async function addDirectory(
  hash: Hash,
  directory: string,
  relative: string,
  left: { files: number; bytes: number },
  signal: AbortSignal,
): Promise<boolean> {
  const entries = await readdir(directory, { withFileTypes: true });
  // By code unit: the order must not depend on the file system or the locale.
  entries.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const entry of entries) {
    signal.throwIfAborted();
    const path = join(directory, entry.name);
    const name = `${relative}/${entry.name}`;
    left.files -= 1;
    if (left.files < 0) return false;
    if (entry.isDirectory()) {
      hash.update(`directory ${JSON.stringify(name)}\n`);
      if (!(await addDirectory(hash, path, name, left, signal))) return false;
    } else if (entry.isSymbolicLink()) {
      hash.update(`link ${JSON.stringify([name, await readlink(path)])}\n`);
    } else if (entry.isFile()) {
      const stats = await lstat(path);
      left.bytes -= stats.size;
      if (left.bytes < 0) return false;
      hash.update(`file ${JSON.stringify([name, stats.size, (stats.mode & 0o111) !== 0])}\n`);
      await addContent(hash, path);
    }
  }
  return true;
}

async function addContent(hash: Hash, path: string): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk);
}
