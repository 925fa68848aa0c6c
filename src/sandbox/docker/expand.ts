/** Expands a leading `~`, `$NAME` and `${NAME}` as the shell would. An undefined variable is a problem, never an empty string. */
export function expandVariables(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  { tilde = true }: { readonly tilde?: boolean } = {},
): { readonly text: string; readonly problem?: string | undefined } {
  const missing: string[] = [];
  const home = env.HOME ?? env.USERPROFILE;
  const atHome = tilde && (text === "~" || text.startsWith("~/"));
  if (atHome && home === undefined) missing.push("HOME");
  const start = atHome ? `${home ?? "~"}${text.slice(1)}` : text;
  const expanded = start.replaceAll(/\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))/g, (whole, braced, bare) => {
    const name = String(braced ?? bare);
    const value = env[name];
    if (value === undefined) missing.push(name);
    return value ?? whole;
  });
  return missing.length === 0 ? { text: expanded } : { text: expanded, problem: `uses the undefined variable ${missing.join(", ")}` };
}
