import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EnvironmentError } from "../errors.ts";
import { isObject } from "../results/any-object.ts";
import { storageError } from "../results/atomic-file.ts";
import { elfLoader } from "./elf-loader.ts";
import { kitFileName, kitFileText } from "./kit-file.ts";
import type { KitRecipe } from "./kit-recipe.ts";
import { launcherText } from "./launcher.ts";
import { kitDigest, kitPrograms } from "./manifest.ts";
import { nodeKit, nodeVersion } from "./node-kit.ts";
import { removeDirectory } from "./temporary.ts";

export interface BuiltKit {
  readonly digest: string;
  readonly bytes: number;
}

/**
 * Makes a kit of a directory in which npm has installed the packages: takes out what is of no use, adds launcher and `kit.json`.
 * @throws EnvironmentError `kit-incomplete` when the program is not among what was installed, `disk-full`, `cannot-write`
 */
export async function buildKit(recipe: KitRecipe, version: string, platform: string, directory: string): Promise<BuiltKit> {
  const { entry, node } = kitPrograms(recipe, platform);
  const modules = join(directory, "node_modules");
  try {
    const programs: Record<string, number> = {};
    for (const path of node === undefined ? [entry] : [node, entry]) {
      const file = join(modules, path);
      const found = await stat(file).catch(() => undefined);
      if (found?.isFile() !== true) throw incomplete(recipe, version, platform, path);
      programs[`node_modules/${path}`] = found.size;
      // Packages place their programs by scripts, which are not run here.
      await chmod(file, 0o755);
    }
    if (recipe.runtime === "native") await keepOnly(modules, packageOf(entry));
    await stripNode(modules, node ?? (recipe.name === nodeKit.name ? entry : undefined));
    const lock: unknown = JSON.parse(await readFile(join(directory, "package-lock.json"), "utf8"));
    const digest = kitDigest(recipe, version, platform, lock);
    await mkdir(join(directory, "bin"));
    await writeFile(join(directory, "bin", recipe.name), launcherText({ entry, node }));
    await chmod(join(directory, "bin", recipe.name), 0o755);
    const bytes = await sizeOf(directory);
    const text = kitFileText({
      name: recipe.name,
      version,
      platform,
      node: recipe.name === nodeKit.name ? version : node === undefined ? null : nodeVersion,
      digest,
      loader: (await elfLoader(join(modules, node ?? entry))) ?? null,
      programs,
      bytes,
      packages: await packagesOf(lock, directory),
    });
    await writeFile(join(directory, kitFileName), text);
    return { digest, bytes };
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw storageError(error, directory);
  }
}

/** npm leaves out an optional package that it cannot get, without an error; the program for a platform is mostly one. */
function incomplete(recipe: KitRecipe, version: string, platform: string, path: string): EnvironmentError {
  const name = packageOf(path);
  return new EnvironmentError("kit-incomplete", `${recipe.name} ${version} has no program for ${platform}: npm did not install ${path}`, {
    hint: `see whether the registry has ${name} of that version, and that it is the package that is sent (npm leaves out an optional package that it cannot get or whose digest is wrong)`,
  });
}

/** `@scope/name` or `name`. */
function packageOf(path: string): string {
  const [first = "", second = ""] = path.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}

/** A program that runs by itself needs nothing of the package that brought it: starters, builds for other processors. */
async function keepOnly(modules: string, name: string): Promise<void> {
  const [first = "", second] = name.split("/");
  const remove = async (directory: string, kept: string): Promise<void> => {
    for (const one of await readdir(directory)) if (one !== kept) await removeDirectory(join(directory, one));
  };
  await remove(modules, first);
  if (second !== undefined) await remove(join(modules, first), second);
}

/** Bytes of all files below a directory. */
export async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else if (entry.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

/** Headers to compile against and manuals are a third of Node's package. */
async function stripNode(modules: string, program: string | undefined): Promise<void> {
  if (program === undefined) return;
  for (const name of ["include", "share", "lib", "CHANGELOG.md"]) await removeDirectory(join(modules, packageOf(program), name));
}

/** What of a lock of npm (versions 2 and 3) is in a kit; in the order of the lock. */
async function packagesOf(lock: unknown, directory: string): Promise<{ name: string; version: string }[]> {
  const packages = isObject(lock) && isObject(lock.packages) ? lock.packages : {};
  const found: { name: string; version: string }[] = [];
  for (const [path, value] of Object.entries(packages)) {
    const name = path.split("node_modules/").at(-1) ?? "";
    if (name === "" || !isObject(value) || typeof value.version !== "string") continue;
    if (await stat(join(directory, path)).catch(() => undefined)) found.push({ name, version: value.version });
  }
  return found;
}
