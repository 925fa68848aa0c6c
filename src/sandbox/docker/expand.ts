export interface ExpandedVariables {
  readonly text: string;
  /** Names without a value, each once; they stand in `text` as they were written. */
  readonly missing: readonly string[];
}

/** Expands a leading `~`, `$NAME` and `${NAME}` as the shell would. An undefined variable is missing, never an empty string. */
export function expandVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  { tilde = true }: { readonly tilde?: boolean } = {},
): ExpandedVariables {
  const missing = new Set<string>();
  const home = env.HOME ?? env.USERPROFILE;
  const atHome = tilde && (text === "~" || text.startsWith("~/"));
  if (atHome && home === undefined) missing.add("HOME");
  const start = atHome ? `${home ?? "~"}${text.slice(1)}` : text;
  const expanded = start.replaceAll(/\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g, (whole, braced, bare) => {
    const name = String(braced ?? bare);
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) missing.add(name);
    return value ?? whole;
  });
  return { text: expanded, missing: [...missing] };
}
