export interface PricedName {
  /** As the price list names who sells the model; undefined: whoever made it. */
  readonly provider: string | undefined;
  readonly model: string;
}

/** Regions in front of a model of Bedrock, and its maker (formats.md 10.9). */
const bedrockPrefix = /^(?:(?:us-gov|us|eu|apac|jp|au|ca|global)\.)?(?:(?:anthropic|openai|google|meta|mistral|amazon|qwen|deepseek)\.)?/;
/** `-v1:0` of Bedrock; `[1m]` of Claude Code; `:thinking`, `:high` and the like of several agents. */
const decorations = [
  /\[[^\]]*\]$/,
  /-v\d+(?::\d+)?$/,
  /:(?:thinking|minimal|low|medium|high|xhigh|max|latest|exacto|nitro|floor|extended)$/,
];
/** How a provider is called in models of agents, where the price list calls it otherwise. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ["gemini", "google"],
  ["google-gemini", "google"],
  ["google-vertex", "google"],
  ["vertex", "google"],
  ["vertex_ai", "google"],
  ["vertexai", "google"],
  ["xai", "x-ai"],
  ["moonshot", "moonshotai"],
  ["fireworks-ai", "fireworks"],
  ["togetherai", "together"],
]);
/** More parts are no name of a model. */
const mostParts = 5;

/**
 * The names under which a model may stand in the price list, likeliest first. A path (`openrouter/anthropic/claude-…`) is tried with its
 * first part as who sells it, then without that part.
 */
export function pricedNames(model: string): readonly PricedName[] {
  const parts = model
    .trim()
    .split("/")
    .filter((part) => part !== "")
    .slice(-mostParts);
  const names: PricedName[] = [];
  for (const [index, seller] of parts.entries()) {
    const rest = parts.slice(index + 1);
    if (rest.length === 0) break;
    for (const name of spellings(rest.join("/")))
      names.push({ provider: providerNames.get(seller.toLowerCase()) ?? seller.toLowerCase(), model: name });
  }
  const last = parts.at(-1);
  return last === undefined ? [] : [...names, ...spellings(last).map((name) => ({ provider: undefined, model: name }))];
}

/** As it is, and without what stands around the model's own name. */
function spellings(model: string): readonly string[] {
  let bare = model.replace(bedrockPrefix, "");
  for (const decoration of decorations) bare = bare.replace(decoration, "");
  // Vertex: `claude-sonnet-4-5@20250929`.
  bare = bare.replace(/@(?=\d{8}$)/, "-").replace(/@(?:default|latest)$/, "");
  return bare === model ? [model] : [model, bare];
}
