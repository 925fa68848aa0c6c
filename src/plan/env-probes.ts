import { quote } from "./found-text.ts";
import { knownAgentTypes } from "./schema/agent-schema.ts";

/** A command that a user wants to be asked of every sandbox, for the version that it prints. */
export interface EnvProbe {
  /** Key in `environment_info.env_probe`. */
  readonly name: string;
  /** A line for `/bin/sh -c`. */
  readonly command: string;
}

/** What every sandbox is asked, whoever asks. */
export const builtInProbes = ["python", "node", "git"] as const;

/** Keys of `environment_info` that coder_eval or we write (formats.md 5.7): a second meaning of such a word would mislead. */
const environmentKeys = [
  ...["git_commit", "skills_git_commit", "cli_version", "tool_plugins", "coder_eval", "evalbatch", "claude_code_cli", "uv", "anthropic"],
  ...["openai", "pydantic", "claude_md_sha256", "claude_md_size_bytes", "api_routing", "aws_region", "bedrock_model", "judge_transport"],
  ...["antigravity_model", "antigravity_thinking_level", "installed_tools", "cost_data_available", "litellm_base_url_host"],
  ...["litellm_model", "system_prompt_semantics", "skills_offered", "pi_session_id", "container_contract", "env_probe"],
  ...["eval_routing", "simulator_routing", "graded_on_host"],
];

const probeName = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

/** Each costs a process in every kind of sandbox. */
export const maxProbes = 20;
const maxCommandChars = 4000;

export type ParsedProbe =
  | { readonly kind: "probe"; readonly probe: EnvProbe }
  /** What is wrong with it, and what to write instead. */
  | { readonly kind: "problem"; readonly problem: string };

/** Reads `NAME=COMMAND`, as one more beside earlier ones. */
export function parseEnvProbe(text: string, earlier: readonly EnvProbe[] = []): ParsedProbe {
  const equals = text.indexOf("=");
  const problem = equals < 0 ? formProblem(text) : undefined;
  if (problem !== undefined) return { kind: "problem", problem };
  const probe = { name: text.slice(0, equals).trim(), command: text.slice(equals + 1).trim() };
  const wrong = nameProblem(probe.name, earlier) ?? commandProblem(probe) ?? countProblem(earlier);
  return wrong === undefined ? { kind: "probe", probe } : { kind: "problem", problem: wrong };
}

/** Reads all of them; the good ones are there beside the problems of the others. */
export function parseEnvProbes(texts: readonly string[]): { readonly probes: readonly EnvProbe[]; readonly problems: readonly string[] } {
  const probes: EnvProbe[] = [];
  const problems = new Set<string>();
  for (const text of texts) {
    const parsed = parseEnvProbe(text, probes);
    if (parsed.kind === "probe") probes.push(parsed.probe);
    else problems.add(parsed.problem);
  }
  return { probes, problems: [...problems] };
}

/** `java` and `java: java -version` are what people write who have not read how. */
function formProblem(text: string): string {
  const { name, command } = /^\s*(?<name>[^\s:]+)\s*:\s*(?<command>\S.*)$/s.exec(text)?.groups ?? {};
  const meant = probeName.test(text.trim()) ? `${text.trim()}=${text.trim()} --version` : undefined;
  const mapped = name !== undefined && command !== undefined && probeName.test(name) ? `${name}=${command}` : undefined;
  const near = meant ?? mapped;
  return `expected NAME=COMMAND, got ${quote(text)}; ${near === undefined ? "write for example 'java=java -version'" : `did you mean ${quote(near)}?`}`;
}

function nameProblem(name: string, earlier: readonly EnvProbe[]): string | undefined {
  if (!probeName.test(name)) {
    const cleaned = name.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z]+/, "");
    const instead = probeName.test(cleaned) ? `; did you mean ${quote(cleaned)}?` : "";
    return `${quote(name)} is no name of a probe: a letter, then at most 63 letters, digits, '.', '_' or '-'${instead}`;
  }
  if (earlier.some((probe) => probe.name === name)) return `the probe ${quote(name)} is given a second time`;
  const lower = name.toLowerCase();
  if (builtInProbes.some((known) => known === lower))
    return `${quote(name)} is asked of every sandbox anyway; leave it out, or take another name`;
  // What an agent's own command line prints stands under its type.
  if (knownAgentTypes.some((type) => type === lower)) return `${quote(name)} is the name of an agent; take another name`;
  if (environmentKeys.includes(lower)) return `${quote(name)} already is a key of environment_info; take another name`;
  return undefined;
}

function commandProblem({ name, command }: EnvProbe): string | undefined {
  if (command === "") return `the probe ${quote(name)} has no command; did you mean ${quote(`${name}=${name} --version`)}?`;
  if (command.includes("\0")) return `the command of the probe ${quote(name)} has a NUL character`;
  if (command.length > maxCommandChars)
    return `the command of the probe ${quote(name)} has more than ${maxCommandChars} characters; put it into a script`;
  return undefined;
}

function countProblem(earlier: readonly EnvProbe[]): string | undefined {
  return earlier.length >= maxProbes ? `more than ${maxProbes} probes; one command may print several versions on its line` : undefined;
}
