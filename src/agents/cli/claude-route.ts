import { AgentError } from "../../errors.ts";

/** Where Claude Code finds its model: keys and addresses of the host that it gets. */
export const claudeVariables = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "ANTHROPIC_BASE_URL",
  "ANTHROPIC_CUSTOM_HEADERS",
  "ANTHROPIC_MODEL",
  "ANTHROPIC_SMALL_FAST_MODEL",
  "API_BACKEND",
  "CLAUDE_CODE_USE_BEDROCK",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_REGION",
  "BEDROCK_MODEL",
  "BEDROCK_SMALL_MODEL",
] as const;

const directKeys = ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN"] as const;

/** One of them is needed. */
export const claudeCredentials: readonly string[] = [...directKeys, "AWS_BEARER_TOKEN_BEDROCK"];

type Env = Readonly<Record<string, string>>;

export interface ClaudeRoute {
  readonly model: string | undefined;
  readonly env: Env;
}

/**
 * Anthropic's own service (or a gateway, by `ANTHROPIC_BASE_URL`), or Amazon Bedrock when `API_BACKEND` or `CLAUDE_CODE_USE_BEDROCK` asks
 * for it or nothing but its token is there (formats.md 10.3, 10.9).
 * @throws AgentError `agent_config_error`
 */
export function claudeRoute(env: Env, model: string | undefined): ClaudeRoute {
  if (!wantsBedrock(env)) return { model, env: {} };
  const region = env.AWS_REGION ?? "";
  const name = model ?? env.BEDROCK_MODEL ?? "";
  const lacking = [
    ...((env.AWS_BEARER_TOKEN_BEDROCK ?? "") === "" ? ["AWS_BEARER_TOKEN_BEDROCK"] : []),
    ...(region === "" ? ["AWS_REGION"] : []),
    ...(name === "" ? ["BEDROCK_MODEL"] : []),
  ];
  if (lacking.length > 0) {
    throw new AgentError("agent_config_error", `claude-code on Bedrock lacks ${lacking.join(", ")}`, {
      hint: "set them in the environment; a task's agent.model does instead of BEDROCK_MODEL",
    });
  }
  const id = bedrockModel(name, region);
  const small = env.BEDROCK_SMALL_MODEL ?? env.ANTHROPIC_SMALL_FAST_MODEL;
  return {
    model: id,
    env: {
      CLAUDE_CODE_USE_BEDROCK: "1",
      CLAUDE_CODE_ATTRIBUTION_HEADER: "0",
      ANTHROPIC_MODEL: id,
      ...(small === undefined ? {} : { ANTHROPIC_SMALL_FAST_MODEL: bedrockModel(small, region) }),
    },
  };
}

function wantsBedrock(env: Env): boolean {
  const backend = env.API_BACKEND?.trim().toLowerCase();
  if (backend === "bedrock") return true;
  if (backend === "direct") return false;
  if (["1", "true", "yes", "on"].includes(env.CLAUDE_CODE_USE_BEDROCK?.trim().toLowerCase() ?? "")) return true;
  return (env.AWS_BEARER_TOKEN_BEDROCK ?? "") !== "" && directKeys.every((key) => (env[key] ?? "") === "");
}

/** The id of a cross-region inference profile; one that is an id of Bedrock already stays as it is. */
function bedrockModel(model: string, region: string): string {
  if (model.startsWith("arn:") || /^(?:us|eu|apac|jp|au|us-gov|global)\./.test(model)) return model;
  const prefix = region.startsWith("us-") ? "us" : region.startsWith("eu-") ? "eu" : region.startsWith("ap-") ? "apac" : "global";
  return `${prefix}.${model.startsWith("anthropic.") ? model : `anthropic.${model}`}`;
}
