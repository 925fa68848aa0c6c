import type { Kit } from "../../kits/kit-recipe.ts";
import { missingLoader, muslLoaders } from "../missing-loader.ts";
import { type ContainerRef, statPath } from "./archive.ts";
import { completeMarker } from "./kit-filler.ts";

/** A volume with a kit, and where a task sees it. */
export interface KitMount {
  readonly kit: Kit;
  readonly volume: string;
  /** Absolute path in the container. */
  readonly target: string;
}

/** Where kits lie in every container. */
export const kitsDir = "/opt/evalbatch/kits";

export function kitMount(kit: Kit, volume: string): KitMount {
  return { kit, volume, target: `${kitsDir}/${kit.name}` };
}

/** The volume of a kit was removed after it was looked at, and the engine has made an empty one of the same name. */
export class KitGone extends Error {
  readonly kit: Kit;
  constructor(kit: Kit) {
    super(`the volume of ${kit.name} ${kit.version} is not whole`);
    this.name = "KitGone";
    this.kit = kit;
  }
}

/**
 * Looks, before a container starts, whether its kits are whole and whether their programs can run in it. From here on the engine keeps
 * the volumes, since the container has them.
 * @throws KitGone, SandboxSetupError `image-libc`
 */
export async function assertKitsRun(container: ContainerRef, mounts: readonly KitMount[], image: string): Promise<void> {
  await Promise.all(
    mounts.map(async ({ kit, target }) => {
      if ((await statPath(container, `${target}/${completeMarker}`)) === undefined) throw new KitGone(kit);
      if (kit.loader === undefined || (await statPath(container, kit.loader)) !== undefined) return;
      const musl = await Promise.all(muslLoaders.map((path) => statPath(container, path)));
      throw missingLoader(
        `the image ${image}`,
        kit,
        musl.some((found) => found !== undefined),
      );
    }),
  );
}
