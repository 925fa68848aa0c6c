import { didYouMean } from "../did-you-mean.ts";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import type { PromptMutation } from "./experiment-schema.ts";
import { textsOf } from "./prompt-mutations.ts";

/** A mutation and its place in the experiment file. */
export interface PlacedMutation {
  readonly mutation: PromptMutation;
  readonly path: readonly PropertyKey[];
}

const maxNames = 5;

/**
 * Names in braces that are left in a prompt after its `template` mutations. Only a warning, with the names: prompts quote
 * code and JSON, where braces mean nothing, so an error would refuse good prompts; upstream says nothing at all.
 */
export function unfilledPlaceholders(prompt: string, mutations: readonly PlacedMutation[]): Problem[] {
  const templates = mutations.flatMap(({ mutation, path }) =>
    mutation.type === "template" ? [{ variables: mutation.variables, path }] : [],
  );
  const last = templates.at(-1);
  const known = templates.flatMap(({ variables }) => Object.keys(variables));
  if (last === undefined || known.length === 0) return [];
  // `${name}` belongs to shells and data sets, `{{name}}` to other template languages.
  const left = new Set([...prompt.matchAll(/(?<![${])\{([A-Za-z_][A-Za-z0-9_]*)\}(?!\})/g)].map(([, name = ""]) => name));
  const names = [...left];
  if (names.length === 0) return [];
  const meant = names.flatMap((name) => {
    const word = didYouMean(name, known);
    return word === undefined ? [] : [`'${word}' of the variables may be meant for {${name}}`];
  });
  const shown = names.slice(0, maxNames).map((name) => `{${name}}`);
  const more = names.length > maxNames ? `, … (${names.length} in all)` : "";
  return [
    {
      severity: "warning",
      code: "unfilled-placeholder",
      path: [...last.path, "variables"],
      message: `the prompt still holds ${shown.join(", ")}${more} after this template`,
      hint: meant[0] ?? "add it to the variables; leave it where the prompt means the braces themselves",
    },
  ];
}

/** `${row.<field>}` in a text of the experiment, used for a task without a dataset: nothing can fill it. */
export function rowPlaceholders(text: string, path: readonly PropertyKey[]): Problem[] {
  const [found] = /\$\{row\.[A-Za-z_][A-Za-z0-9_]*\}/.exec(text) ?? [];
  if (found === undefined) return [];
  const message = `${quote(found)} stays as it is in the prompts of tasks without a dataset`;
  return [{ severity: "warning", code: "row-placeholder", path, message, hint: "only a dataset's rows have fields to fill it with" }];
}

export function rowPlaceholdersOf({ mutation, path }: PlacedMutation): Problem[] {
  return textsOf(mutation)
    .flatMap((text) => rowPlaceholders(text, path))
    .slice(0, 1);
}
