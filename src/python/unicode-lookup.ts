import { inflateRawSync } from "node:zlib";
import { once } from "./once.ts";
import { namedBlocks, packedNames } from "./unicode-names.ts";

const byName = once(readNames);

/**
 * The character with this Unicode name, letter case aside, as `\N{…}` means it. Undefined for a name outside of the blocks
 * that `unicode-names.ts` holds: most of the 35,000 names are not worth their weight.
 */
export function findCharacterByName(name: string): number | undefined {
  return byName().get(name.toUpperCase());
}

function readNames(): Map<string, number> {
  const lines = inflateRawSync(Buffer.from(packedNames, "base64")).toString("ascii").split("\n");
  const codes = namedBlocks.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
  return new Map(codes.flatMap((code, i): [string, number][] => (lines[i] ? [[lines[i], code]] : [])));
}
