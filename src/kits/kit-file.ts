import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { toJsonText } from "../results/json-text.ts";
import type { Kit } from "./kit-recipe.ts";

/** Name of the file that is written last, and describes the kit. */
export const kitFileName = "kit.json";

const kitFileSchema = z.object({
  name: z.string(),
  version: z.string(),
  platform: z.string(),
  /** Version of the Node in it. */
  node: z.string().nullable(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
  loader: z.string().nullable(),
  /** Programs that the launcher starts, relative to the kit, with their sizes in bytes. */
  programs: z.record(z.string(), z.number()),
  /** All files together. */
  bytes: z.number(),
  packages: z.array(z.object({ name: z.string(), version: z.string() })),
});
export type KitFile = z.infer<typeof kitFileSchema>;

export function kitFileText(file: KitFile): string {
  return `${toJsonText(file, 2)}\n`;
}

/**
 * The kit that stands in a directory; undefined when there is none, or not all of it (half restored from a cache, cleaned up
 * by somebody).
 * @param expected what it must be; a digest only where it is known beforehand
 */
export async function readKit(
  directory: string,
  expected: { readonly name: string; readonly platform: string; readonly digest?: string | undefined },
): Promise<Kit | undefined> {
  try {
    const file = kitFileSchema.parse(JSON.parse(await readFile(join(directory, kitFileName), "utf8")));
    if (file.name !== expected.name || file.platform !== expected.platform) return undefined;
    if (expected.digest !== undefined && file.digest !== expected.digest) return undefined;
    const programs = Object.entries({ ...file.programs, [`bin/${file.name}`]: undefined });
    for (const [path, bytes] of programs) {
      const found = await stat(join(directory, path));
      if (!found.isFile() || (bytes !== undefined && found.size !== bytes)) return undefined;
    }
    return { name: file.name, version: file.version, directory, digest: file.digest, loader: file.loader ?? undefined };
  } catch {
    return undefined;
  }
}
