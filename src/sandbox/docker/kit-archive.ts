import { createReadStream } from "node:fs";
import { readdir, readlink, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { type Pack, pack } from "tar-stream";

/**
 * A directory as a tar stream for whoever may read it: owned by root, without write permission for others, whatever this machine's
 * umask made of it. Links that lead out of it are left out.
 */
export function kitArchive(directory: string): Pack {
  const tar = pack();
  addDirectory(tar, directory, "").then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return tar;
}

const root = { uid: 0, gid: 0 } as const;

async function addDirectory(tar: Pack, directory: string, path: string): Promise<void> {
  const entries = await readdir(join(directory, path), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = posix.join(path, entry.name);
    if (entry.isDirectory()) {
      await add(tar, { name: `${name}/`, type: "directory", mode: 0o755, ...root });
      await addDirectory(tar, directory, name);
    } else if (entry.isSymbolicLink()) {
      const linkname = await readlink(join(directory, name));
      const target = posix.normalize(posix.join(path, linkname));
      if (linkname.startsWith("/") || target === ".." || target.startsWith("../")) continue;
      await add(tar, { name, type: "symlink", linkname, mode: 0o777, ...root });
    } else if (entry.isFile()) {
      const file = join(directory, name);
      const { size, mode } = await stat(file);
      const sink = tar.entry({ name, size, mode: (mode & 0o111) === 0 ? 0o644 : 0o755, ...root });
      // A broken upload ends the sink too, so that this cannot wait for ever.
      if (size === 0) sink.end(null);
      else await pipeline(createReadStream(file, { end: size - 1 }), sink);
    }
  }
}

function add(tar: Pack, header: Parameters<Pack["entry"]>[0]): Promise<void> {
  return new Promise((resolve, reject) => {
    tar.entry(header, (error) => (error ? reject(error) : resolve()));
  });
}
