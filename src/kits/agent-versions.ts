import { InputError } from "../errors.ts";
import { didYouMean } from "../plan/did-you-mean.ts";
import { quote } from "../plan/found-text.ts";

/** What stands for "no kit: the program is in the image, on its PATH". */
export const imageVersion = "image";

/** Which version of each agent a run shall have. What is not named here has the version of its recipe. */
export interface AgentVersions {
  /** For the run's only agent type. */
  readonly only?: string | undefined;
  /** By agent type, without aliases: an exact version, a dist-tag such as `latest`, or `image`. */
  readonly byType: Readonly<Record<string, string>>;
}

export const noAgentVersions: AgentVersions = { byType: {} };

/** Agent types that have a program of their own, and other names of them. */
const versionedTypes = ["claude-code", "codex", "gemini", "opencode", "pi", "qwen", "copilot"] as const;
const aliases: Readonly<Record<string, string>> = { antigravity: "gemini", claude: "claude-code" };
const versionPattern = /^[~^]?[0-9A-Za-z][0-9A-Za-z.+-]{0,99}$/;

export type ParsedVersions =
  | { readonly kind: "versions"; readonly versions: AgentVersions }
  /** What is wrong, and what to write instead. */
  | { readonly kind: "problem"; readonly problem: string };

/** Reads `2.1.300`, `latest`, `image`, or `claude-code=2.1.300,codex=0.171.0` beside earlier ones; commas and line ends separate. */
export function parseAgentVersions(text: string, earlier: AgentVersions = noAgentVersions): ParsedVersions {
  const items = text
    .split(/[,\r\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const byType: Record<string, string> = { ...earlier.byType };
  let { only } = earlier;
  if (items.length === 0) return { kind: "problem", problem: "it is empty; write a version such as 2.1.300, latest, or image" };
  for (const item of items) {
    const equals = item.indexOf("=");
    const [name, given] = equals < 0 ? [undefined, item] : [item.slice(0, equals).trim(), item.slice(equals + 1).trim()];
    const problem =
      name === undefined
        ? loneProblem(given, items.length + Object.keys(earlier.byType).length + (earlier.only === undefined ? 0 : 1))
        : (nameProblem(name, byType) ?? versionProblem(given, name));
    if (problem !== undefined) return { kind: "problem", problem };
    const version = normalVersion(given);
    if (name === undefined) only = version;
    else byType[typeOf(name)] = version;
  }
  return { kind: "versions", versions: { only, byType } };
}

/**
 * Holds the versions against what the run has.
 * @param types agent types of the run's tasks, in any order, aliases and agents without a program among them
 * @throws InputError `agent-version` when it is not clear which agent is meant
 */
export function checkAgentVersions(versions: AgentVersions, types: Iterable<string>): void {
  const used = [...new Set([...types].map(typeOf).filter((type) => isVersioned(type)))].sort();
  if (versions.only === undefined || used.length <= 1) return;
  const example = used.map((type) => `${type}=${versions.only}`).join(",");
  throw new InputError(
    [
      {
        severity: "error",
        code: "agent-version",
        message: `agent-version ${quote(versions.only)} is for one agent, and the run has ${used.join(", ")}`,
        hint: `name them: ${example}`,
      },
    ],
    {},
  );
}

/** What is asked for of an agent; undefined: the version of its recipe. */
export function versionFor(versions: AgentVersions, type: string): string | undefined {
  return versions.byType[typeOf(type)] ?? (isVersioned(typeOf(type)) ? versions.only : undefined);
}

function typeOf(name: string): string {
  const lower = name.toLowerCase();
  return aliases[lower] ?? lower;
}

function isVersioned(type: string): boolean {
  return versionedTypes.some((known) => known === type);
}

/** `v2.1.300` is how tags are written. */
function normalVersion(text: string): string {
  const plain = /^v\d/.test(text) ? text.slice(1) : text;
  return plain.toLowerCase() === imageVersion ? imageVersion : plain;
}

function loneProblem(version: string, count: number): string | undefined {
  if (count > 1) return `expected TYPE=VERSION for each of several agents, got ${quote(version)}`;
  if (isVersioned(typeOf(version))) return `${quote(version)} is an agent; write ${quote(`${typeOf(version)}=VERSION`)}`;
  const scoped = /^(?:@[\w.-]+\/)?([\w.-]+)@([^@]+)$/.exec(version);
  const type = scoped?.[1] === undefined ? undefined : (didYouMean(scoped[1], versionedTypes) ?? typeOf(scoped[1]));
  if (scoped !== null && type !== undefined && isVersioned(type)) {
    return `expected VERSION or TYPE=VERSION, got ${quote(version)}; did you mean ${quote(`${type}=${scoped[2]}`)}?`;
  }
  return versionProblem(version, undefined);
}

function nameProblem(name: string, earlier: Readonly<Record<string, string>>): string | undefined {
  const type = typeOf(name);
  if (Object.hasOwn(earlier, type)) return `the version of ${quote(type)} is given a second time`;
  if (isVersioned(type)) return undefined;
  const near = didYouMean(name, [...versionedTypes, ...Object.keys(aliases)]);
  const instead = near === undefined ? `expected one of ${versionedTypes.join(", ")}` : `did you mean ${quote(near)}?`;
  return `${quote(name)} is no agent with a version; ${instead}`;
}

function versionProblem(version: string, name: string | undefined): string | undefined {
  if (versionPattern.test(version)) {
    const near = /^[~^]?\d/.test(version) ? undefined : didYouMean(version, [imageVersion, "latest"]);
    // Dist-tags are free words, but these two are what nearly everybody means.
    return near === undefined || version.toLowerCase() === near
      ? undefined
      : `${quote(version)} is no version; did you mean ${quote(near)}?`;
  }
  const of = name === undefined ? "" : ` of ${quote(name)}`;
  return `${quote(version)} is no version${of}; write one such as 2.1.300, a tag such as latest, or ${imageVersion}`;
}
