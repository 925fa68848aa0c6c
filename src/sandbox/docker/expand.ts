import { replaceVariables } from "../../plan/expand-path.ts";

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
  const home = env.HOME ?? env.USERPROFILE;
  const atHome = tilde && (text === "~" || text.startsWith("~/"));
  const expanded = replaceVariables(atHome ? `${home ?? "~"}${text.slice(1)}` : text, env);
  const homeless = atHome && home === undefined ? ["HOME"] : [];
  return { text: expanded.text, missing: [...new Set([...homeless, ...expanded.missing])] };
}
