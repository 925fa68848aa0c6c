import { childOf } from "../schema/schema-keys.ts";

type Path = readonly PropertyKey[];

/**
 * Where a block's setting stands in an experiment file (formats.md 3.1): `template_sources` stand beside `sandbox` there,
 * and so may `driver`.
 * @param block where the block stands
 * @param path of the setting, with its root
 * @param file the file's value
 */
export function filePath(block: Path, path: Path, file: unknown): Path {
  const [root, name] = path;
  const beside = [...block, ...path.slice(1)];
  const isBeside = root === "sandbox" && (name === "template_sources" || (name === "driver" && isSet(file, beside)));
  return isBeside ? beside : [...block, ...path];
}

function isSet(value: unknown, path: Path): boolean {
  const found = path.reduce<unknown>((at, step) => childOf(at, step), value);
  return found !== undefined && found !== null;
}
