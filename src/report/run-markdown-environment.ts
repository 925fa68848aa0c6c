import type { RunRow } from "../results/run-row.ts";
import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { labelled, type Section, table, text } from "./markdown-parts.ts";
import { pythonText } from "./python-repr.ts";
import type { RowNames } from "./row-names.ts";

const promptChars = 200;

type Settings = Readonly<Record<string, unknown>>;

/** Settings of the first row that has any: the options that an SDK was given, else the agent's configuration. */
export function agentSettings(rows: readonly RunRow[]): Section | undefined {
  const sdk = rows.find((row) => row.sdk_options !== null)?.sdk_options;
  const settings = sdk ?? rows.find((row) => row.agent_config !== null)?.agent_config;
  if (settings === null || settings === undefined) return undefined;
  const lines = [
    labelled("Permission Mode", isSet(settings.permission_mode) ? text(pythonText(settings.permission_mode)) : md`N/A`),
    labelled("Allowed Tools", listText(settings.allowed_tools, "(all)")),
  ];
  if (isSet(settings.model)) lines.push(labelled("Model", text(pythonText(settings.model))));
  if (sdk !== null && sdk !== undefined) lines.push(...sdkSettings(sdk));
  if (settings.plugins !== null && settings.plugins !== undefined) {
    const paths = Array.isArray(settings.plugins) ? settings.plugins.map(pathOf) : [];
    lines.push(labelled("Plugins", listText(paths, "(none)")));
  }
  return { heading: md`## Agent Settings`, lines, gap: 1 };
}

function sdkSettings(sdk: Settings): SafeMarkdown[] {
  const lines: SafeMarkdown[] = [];
  const plain = { max_turns: "Max Turns", max_budget_usd: "Max Budget (USD)", thinking: "Thinking", effort: "Effort" };
  for (const [key, label] of Object.entries(plain)) {
    if (isSet(sdk[key])) lines.push(labelled(label, text(pythonText(sdk[key]))));
  }
  if (isSet(sdk.mcp_servers) && typeof sdk.mcp_servers === "object" && sdk.mcp_servers !== null) {
    lines.push(labelled("MCP Servers", text(Object.keys(sdk.mcp_servers).join(", "))));
  }
  if (isSet(sdk.betas)) lines.push(labelled("Betas", listText(sdk.betas, "(none)")));
  if (isSet(sdk.system_prompt)) {
    const prompt = pythonText(sdk.system_prompt).replaceAll("\n", " ");
    const short = prompt.length > promptChars ? `${prompt.slice(0, promptChars)}...` : prompt;
    lines.push(labelled("System Prompt", text(short, promptChars + 3)));
  }
  return lines;
}

/** As Python's truth: empty texts, lists, objects and 0 are not set. */
function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function listText(value: unknown, whenEmpty: string): SafeMarkdown {
  const items = Array.isArray(value) ? value.map(pythonText) : [];
  return text(items.length === 0 ? whenEmpty : items.join(", "), 1000);
}

function pathOf(plugin: unknown): string {
  return typeof plugin === "object" && plugin !== null && "path" in plugin ? pythonText(plugin.path) : pythonText(plugin);
}

export function installedTools(rows: readonly RunRow[], { of: name }: RowNames): Section | undefined {
  const cells = rows.flatMap((row) =>
    Object.entries(row.installed_tools ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([tool, version]) => [text(name(row)), text(tool), text(pythonText(version))]),
  );
  if (cells.length === 0) return undefined;
  return { heading: md`## Installed Tools`, lines: table(["Task ID", "Tool", "Version"], cells), gap: 1 };
}

export function environment(info: Settings): Section {
  const lines = Object.entries(info).map(([key, value]) => labelled(key, text(pythonText(value), 500)));
  return { heading: md`## Environment`, lines, gap: 1 };
}
