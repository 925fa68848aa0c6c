import { z } from "zod";

const texts = z.union([z.array(z.string()), z.string().transform((one) => [one])]).optional();
const schema = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) });
const locked = z.looseObject({
  resolved: z.url().optional(),
  integrity: z.string().startsWith("sha512-"),
  os: texts,
  cpu: texts,
  libc: texts,
  optionalDependencies: z.record(z.string(), z.string()).optional(),
});
type Locked = z.infer<typeof locked>;

/** What npm installs without, and what differs between the machines that make a lock. */
const useless = ["license", "funding", "engines", "deprecated", "bin"];

/**
 * npm's lock as it is kept: packages for glibc Linux on x64 and arm64 only, from the public registry, whichever was asked (npm puts the
 * user's own in its place), each with its digest.
 * @throws Error when a package has none
 */
export function tidyLock(text: string): unknown {
  const lock = schema.parse(JSON.parse(text));
  const kept = new Map<string, Locked>();
  for (const [path, value] of Object.entries(lock.packages)) {
    if (path === "") continue;
    const read = locked.safeParse(value);
    if (!read.success) throw new Error(`${path} has no digest in npm's lock: ${JSON.stringify(value)}`);
    if (isForKits(read.data)) kept.set(path, read.data);
  }
  const packages = [...kept].map(([path, entry]) => [path, tidy(path, entry, new Set(kept.keys()))]);
  return { ...lock, packages: { "": lock.packages[""], ...Object.fromEntries(packages) } };
}

function isForKits({ os, cpu, libc }: Locked): boolean {
  const fits = (list: readonly string[] | undefined, wanted: readonly string[]): boolean =>
    list === undefined ||
    list.some((one) => wanted.includes(one)) ||
    list.every((one) => one.startsWith("!") && !wanted.includes(one.slice(1)));
  return fits(os, ["linux"]) && fits(cpu, ["x64", "arm64"]) && fits(libc, ["glibc"]);
}

function tidy(path: string, entry: Locked, paths: ReadonlySet<string>): object {
  const { optionalDependencies = {}, resolved, ...rest } = entry;
  const fields = Object.entries(rest).filter(([key]) => !useless.includes(key));
  // Without those that are not in the lock: npm takes it for one of something else otherwise.
  const optional = Object.entries(optionalDependencies).filter(([name]) => isFound(path, name, paths));
  return {
    ...Object.fromEntries(fields),
    ...(resolved === undefined ? {} : { resolved: resolved.replace(/^https?:\/\/[^/]+\//, "https://registry.npmjs.org/") }),
    ...(optional.length === 0 ? {} : { optionalDependencies: Object.fromEntries(optional) }),
  };
}

/** Whether a package would find another by Node's rules. */
function isFound(from: string, name: string, paths: ReadonlySet<string>): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    if (paths.has(at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`)) return true;
    if (at === "") return false;
    if (!at.includes("/node_modules/")) return paths.has(`node_modules/${name}`);
  }
}
