import { z } from "zod";
import { laxBool } from "../../schema/lax.ts";
import { textList, textOrNull } from "./field-types.ts";
import { layering } from "./layering.ts";

// formats.md 1.4, `DockerDriverConfig`.

/** The image that 0.8.2 names when a task names none. */
export const defaultDockerImage = "coder-eval-agent:0.8.2";

/** Used where the engine does not have that one, which is published nowhere: small, with a shell and Python. */
export const fallbackDockerImage = "python:3.13-slim";

/** Variables that reach a container unless the task lists others, in the order of 0.8.2. */
export const defaultEnvPassthrough: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "API_BACKEND",
  "UIPATH_LLM_BACKEND",
  "UIPATH_ACCESS_TOKEN",
  "UIPATH_URL",
  "UIPATH_TENANT_ID",
  "UIPATH_ORGANIZATION_ID",
  "UIPATH_CLI_DISABLE_VERSION_SYNC",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AWS_REGION",
  "BEDROCK_MODEL",
  "CLAUDE_CODE_USE_BEDROCK",
  "ANTHROPIC_MODEL",
  "CODEX_API_KEY",
  "CODEX_BASE_URL",
  "CODEX_MODEL",
  "GEMINI_API_KEY",
  "ANTIGRAVITY_MODEL",
  "HOME",
];

const build = z.strictObject({
  buildkit: laxBool().nullable().default(null),
  args: z.record(z.string(), z.string()).default(() => ({})),
  secrets: textList.default(() => []),
  extra_args: textList.default(() => []),
});

/** Directories of a container that are ours. */
const ownDirectories = ["work", "evalbatch"];

/** `auto`, or an absolute path that is neither `/` nor one of our directories nor below them. */
function isWorkingDir(path: string): boolean {
  if (path === "auto") return true;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return path.startsWith("/") && parts.length > 0 && !ownDirectories.includes(parts[0] ?? "") && !parts.includes("..");
}

/** `src:dst[:ro|rw]`; a Windows drive letter may lead the source. */
function isMount(text: string): boolean {
  const match = /^(?:[A-Za-z]:[\\/])?[^:]+:([^:]+)(?::(ro|rw))?$/.exec(text);
  return match !== null && (match[1]?.startsWith("/") === true || match[1]?.startsWith("$") === true);
}

/** Names that the engine takes as a mode of its own, and what speaks against each of them in a sandbox. */
const refusedNetworks: Readonly<Record<string, string>> = {
  host: "the host's network would be open to the task; name a network that was made for it",
  default: "write 'bridge' for the engine's default network",
  llm_only: "there is no filter for what leaves a sandbox; name a network that was made for it, such as an internal one",
};

/** `bridge`, `none`, or the name of a network that the engine has. `container:…` is no such name: it shares what belongs to another task. */
const network = z
  .string()
  .regex(/^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/, { message: "must be 'bridge', 'none' or the name of a network that the engine has" })
  .superRefine((name, context) => {
    const reason = Object.hasOwn(refusedNetworks, name) ? refusedNetworks[name] : undefined;
    if (reason !== undefined) context.addIssue({ code: "custom", message: `'${name}' is refused: ${reason}` });
  });

export const dockerSchema = z.strictObject({
  image: z
    .string()
    .refine((image) => image.trim() !== "", { message: "the image must not be empty" })
    .default(defaultDockerImage),
  dockerfile_path: textOrNull,
  build: build.prefault(() => ({})),
  network: network.default("bridge"),
  working_dir: z
    .string()
    .refine(isWorkingDir, { message: "must be 'auto' or an absolute path other than '/', and not '/work' or '/evalbatch' or below them" })
    .nullable()
    .default(null),
  env_passthrough: textList.default(() => [...defaultEnvPassthrough]),
  env_passthrough_extra: textList.default(() => []).register(layering, { merge: "append", order: "low-first" }),
  extra_mounts: z
    .array(z.string().refine(isMount, { message: "must be 'source:/absolute/target' with ':ro' or ':rw' at most" }))
    .default(() => []),
});

export type DockerConfig = z.infer<typeof dockerSchema>;
