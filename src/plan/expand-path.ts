import { join, resolve, sep } from "node:path";

export type Env = Readonly<Record<string, string | undefined>>;

export type ExpandedText = { readonly kind: "text"; readonly text: string } | { readonly kind: "undefined"; readonly variable: string };

export type ExpandedPath = { readonly kind: "path"; readonly path: string } | { readonly kind: "undefined"; readonly variable: string };

/**
 * A text with `$NAME` and `${NAME}` replaced, and the names that are not set, each once: those stand in it as they were
 * written, since one that is not set is never an empty text. A `$` before anything else stays.
 */
export function replaceVariables(text: string, env: Env): { readonly text: string; readonly missing: readonly string[] } {
  const missing = new Set<string>();
  const expanded = text.replace(/\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g, (whole, braced, bare) => {
    const name: string = braced ?? bare;
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) missing.add(name);
    return value ?? whole;
  });
  return { text: expanded, missing: [...missing] };
}

/** A text with its variables replaced, or the first one that is not set. */
export function expandText(text: string, env: Env): ExpandedText {
  const replaced = replaceVariables(text, env);
  const [variable] = replaced.missing;
  return variable === undefined ? { kind: "text", text: replaced.text } : { kind: "undefined", variable };
}

/** A path that no shell has seen, such as an input: only a leading `~` is replaced, and stays where nobody knows the home directory. */
export function atHome(path: string, env: Env): string {
  const home = env.HOME ?? env.USERPROFILE;
  return home === undefined || !/^~(?=[/\\]|$)/.test(path) ? path : join(home, path.slice(1));
}

/** The same as `expandText` with a leading `~`, which stands for the home directory: the path may still be relative. */
export function expandHome(text: string, env: Env): ExpandedText {
  const expanded = expandText(text, env);
  if (expanded.kind === "undefined" || !/^~(?=[/\\]|$)/.test(expanded.text)) return expanded;
  const home = env.HOME ?? env.USERPROFILE;
  return home === undefined ? { kind: "undefined", variable: "HOME" } : { kind: "text", text: join(home, expanded.text.slice(1)) };
}

/** A path of a task file, absolute: `$NAME`, `${NAME}` and a leading `~` replaced, the rest relative to the file's folder. */
export function expandPath(text: string, folder: string, env: Env): ExpandedPath {
  const expanded = expandHome(text, env);
  return expanded.kind === "undefined" ? expanded : { kind: "path", path: resolve(folder, expanded.text) };
}

/** A path as it is stored: with `/` on every system. */
export function posixPath(path: string, separator: string = sep): string {
  return separator === "\\" ? path.replaceAll("\\", "/") : path;
}
