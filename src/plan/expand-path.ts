import { join, resolve } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

export type ExpandedPath = { readonly kind: "path"; readonly path: string } | { readonly kind: "undefined"; readonly variable: string };

/** A path of a task file, absolute: `$NAME`, `${NAME}` and a leading `~` replaced, the rest relative to the file's folder. */
export function expandPath(text: string, folder: string, env: Env): ExpandedPath {
  let missing: string | undefined;
  const expanded = text.replace(/\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g, (whole, braced, bare) => {
    const name: string = braced ?? bare;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) missing ??= name;
    return value ?? whole;
  });
  if (missing !== undefined) return { kind: "undefined", variable: missing };
  if (!/^~(?=\/|$)/.test(expanded)) return { kind: "path", path: resolve(folder, expanded) };
  const home = env.HOME ?? env.USERPROFILE;
  return home === undefined ? { kind: "undefined", variable: "HOME" } : { kind: "path", path: join(home, expanded.slice(1)) };
}
