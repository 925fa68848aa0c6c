import { AgentError } from "../../errors.ts";

/** Services whose address and key come from variables, for agents that know many services. */
export type Service = "anthropic" | "openai" | "google";

export interface ModelAddress {
  /** Undefined: the agent is to find the service by the model's name. */
  readonly provider: string | undefined;
  readonly model: string;
  /** Of the services above: undefined for all others. */
  readonly service: Service | undefined;
  /** Where the service is, without a version at its end for `anthropic` and `google`; undefined: where the agent knows it to be. */
  readonly baseUrl: string | undefined;
}

const services: readonly { readonly service: Service; readonly models: RegExp; readonly variable: string; readonly version: RegExp }[] = [
  { service: "anthropic", models: /^claude/, variable: "ANTHROPIC_BASE_URL", version: /\/v1$/ },
  { service: "google", models: /^gemini/, variable: "GOOGLE_GEMINI_BASE_URL", version: /\/v1(?:beta)?$/ },
  // The address of an OpenAI-compatible service includes its version.
  { service: "openai", models: /^(?:gpt|o\d|codex|chatgpt)/, variable: "OPENAI_BASE_URL", version: /(?!)/ },
];

/** Keys and addresses of services that agents with many services know. */
export const serviceVariables: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "GEMINI_API_KEY",
  "GOOGLE_GEMINI_BASE_URL",
  "OPENROUTER_API_KEY",
  "GROQ_API_KEY",
  "MISTRAL_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "CEREBRAS_API_KEY",
  "FIREWORKS_API_KEY",
  "TOGETHER_API_KEY",
];

/** Of these one must be set. A service of one's own needs no key. */
export const serviceCredentials: readonly string[] = serviceVariables.filter(
  (name) => name.endsWith("_API_KEY") || name === "OPENAI_BASE_URL",
);

/** Name of the service that a model of no known service is asked for at `OPENAI_BASE_URL`. */
export const customProvider = "evalbatch";

/**
 * Which service has a model and where it is. `provider/model` says the service; a bare name tells it by how it begins. A service that is
 * none of the known ones, or a name that tells none, is the OpenAI-compatible one at `OPENAI_BASE_URL` where that is set.
 */
export function modelAddress(name: string, env: Readonly<Record<string, string>>): ModelAddress {
  const slash = name.indexOf("/");
  const named = slash <= 0 ? undefined : name.slice(0, slash);
  const model = slash <= 0 ? name : name.slice(slash + 1);
  const known = services.find(({ service, models }) => (named === undefined ? models.test(model) : named === service));
  if (known !== undefined) {
    const url = env[known.variable]?.replace(/\/+$/, "").replace(known.version, "");
    return { provider: known.service, model, service: known.service, baseUrl: url === "" ? undefined : url };
  }
  const url = env.OPENAI_BASE_URL?.replace(/\/+$/, "");
  if (url === undefined || url === "" || isElsewhere(named, env)) return { provider: named, model, service: undefined, baseUrl: undefined };
  return { provider: named ?? customProvider, model, service: undefined, baseUrl: url };
}

/** A service with a key of its own, e.g. `OPENROUTER_API_KEY`, is where the agent knows it to be. */
function isElsewhere(provider: string | undefined, env: Readonly<Record<string, string>>): boolean {
  return provider !== undefined && env[`${provider.toUpperCase()}_API_KEY`] !== undefined;
}

/**
 * An address of one's own without a model: the agent would choose a model itself and ask for it where that is known to be, with the key that
 * was meant for the other place.
 * @throws AgentError `agent_config_error`
 */
export function assertModelFor(agent: string, model: string | undefined, env: Readonly<Record<string, string>>): void {
  const variable = services.map((service) => service.variable).find((name) => (env[name] ?? "") !== "");
  if (model !== undefined || variable === undefined) return;
  throw new AgentError("agent_config_error", `${agent} does not know which model to ask for at ${variable}`, {
    hint: "name it: agent.model in the task or experiment, or --model",
  });
}
