import { type Walked, walkInside } from "../walk-inside.ts";
import { type ArchiveStat, type ContainerRef, readLink, statPath } from "./archive.ts";

/** Where a path ends in a container, see `walkInside`; found out by questions to the engine: nothing inside is run or trusted. */
export async function resolveInContainer(container: ContainerRef, root: string, path: string): Promise<Walked<ArchiveStat>> {
  return await walkInside(root, path, async (at) => {
    // The sandbox's own directory is real, and may be asked for without a question.
    if (at === root) return { kind: "directory", info: { kind: "directory", size: 0, mode: 0o755 } };
    const info = await statPath(container, at);
    if (info === undefined) return undefined;
    if (info.kind === "link") return { kind: "link", target: (await readLink(container, at)) ?? "" };
    return { kind: info.kind === "directory" ? "directory" : "leaf", info };
  });
}
