import { z } from "zod";

const schema = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });
const locked = z.looseObject({ resolved: z.url().optional(), integrity: z.string().startsWith("sha512-") });

/** What npm installs without, and what differs between the machines that make a lock. */
const useless = ["license", "funding", "engines", "deprecated", "bin"];

/**
 * npm's lock as it is kept: from the public registry, whichever was asked (npm puts the user's own in its place), every package with
 * its digest.
 * @throws Error when a package has none
 */
export function tidyLock(text: string): unknown {
  const lock = schema.parse(JSON.parse(text));
  const packages = Object.entries(lock.packages).map(([path, value]) => {
    if (path === "") return [path, value];
    const read = locked.safeParse(value);
    if (!read.success) throw new Error(`${path} has no digest in npm's lock: ${JSON.stringify(value)}`);
    const { resolved } = read.data;
    const kept = Object.fromEntries(Object.entries(read.data).filter(([key]) => !useless.includes(key)));
    return [
      path,
      resolved === undefined ? kept : { ...kept, resolved: resolved.replace(/^https?:\/\/[^/]+\//, "https://registry.npmjs.org/") },
    ];
  });
  return { ...lock, packages: Object.fromEntries(packages) };
}
