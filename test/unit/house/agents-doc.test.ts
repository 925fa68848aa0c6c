import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { agentsDocument, agentTables, cliFacts, type DocumentedAgent, documentedAgents } from "../../../scripts/readme/agent-tables.ts";
import { withTables } from "../../../scripts/readme/tables.ts";
import type { AgentErrorCategory } from "../../../src/agents/agent.ts";
import { claudeCode } from "../../../src/agents/cli/claude-code.ts";
import type { CliInvocation, CliRequest } from "../../../src/agents/cli/cli-agent.ts";
import { codex } from "../../../src/agents/cli/codex.ts";
import { copilot } from "../../../src/agents/cli/copilot.ts";
import { gemini } from "../../../src/agents/cli/gemini.ts";
import { opencode } from "../../../src/agents/cli/opencode.ts";
import { pi } from "../../../src/agents/cli/pi.ts";
import { qwen } from "../../../src/agents/cli/qwen.ts";
import { agentTypes, getAgent } from "../../../src/agents/registry.ts";
import { AgentError } from "../../../src/errors.ts";
import { agentSchema } from "../../../src/plan/schema/agent-schema.ts";
import type { AgentConfig } from "../../../src/plan/schema/task-schema.ts";
import { isRetryable, retryDelayMs } from "../../../src/run/retry-policy.ts";
import { root } from "./source-files.ts";

// What docs/agents.md says of the agents, held against their adapters.

const read = (path: string): string => readFileSync(join(root, path), "utf8");
const document = read(agentsDocument);

/** Rows of the table below a line that begins so, without its head. */
function rowsBelow(head: string, text = document): string[][] {
  const start = text.indexOf(`\n${head}`);
  assert.ok(start >= 0, head);
  const lines = text.slice(start + 1).split("\n");
  return lines
    .slice(
      2,
      lines.findIndex((line) => !line.startsWith("|")),
    )
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

type Fields = Readonly<Record<string, unknown>>;

/** The command line of a type whose task has these fields; each type knows how to read its own configuration. */
const invocations: Readonly<Record<DocumentedAgent, (fields: Fields, more?: Partial<CliRequest>) => CliInvocation>> = {
  "claude-code": (fields, more) =>
    invoke("claude-code", fields, (config, request) => config.type === "claude-code" && claudeCode.invoke({ ...request, config }), more),
  codex: (fields, more) =>
    invoke("codex", fields, (config, request) => config.type === "codex" && codex.invoke({ ...request, config }), more),
  gemini: (fields, more) =>
    invoke("gemini", fields, (config, request) => config.type === "gemini" && gemini.invoke({ ...request, config }), more),
  opencode: (fields, more) =>
    invoke("opencode", fields, (config, request) => config.type === "opencode" && opencode.invoke({ ...request, config }), more),
  pi: (fields, more) => invoke("pi", fields, (config, request) => config.type === "pi" && pi.invoke({ ...request, config }), more),
  qwen: (fields, more) => invoke("qwen", fields, (config, request) => config.type === "qwen" && qwen.invoke({ ...request, config }), more),
  copilot: (fields, more) =>
    invoke("copilot", fields, (config, request) => config.type === "copilot" && copilot.invoke({ ...request, config }), more),
};

type Request = Omit<CliRequest, "config">;

function invoke(
  type: DocumentedAgent,
  fields: Fields,
  call: (config: AgentConfig, request: Request) => CliInvocation | false,
  more: Partial<CliRequest> = {},
): CliInvocation {
  const config = agentSchema.parse({ type, ...fields });
  const request = {
    prompt: "p",
    model: config.model ?? "m",
    maxTurns: undefined,
    maxUsd: undefined,
    timeoutMs: 1000,
    home: "/h",
    workDir: "/w",
  };
  // A service of one's own, which the footnote of the table asks for.
  const env = { OPENAI_BASE_URL: "http://localhost/v1", COPILOT_PROVIDER_BASE_URL: "http://localhost/v1" };
  const invocation = call(config, { ...request, pluginDirs: [], env, ...more });
  assert.ok(invocation !== false, type);
  return invocation;
}

/** A row of the table: the fields that a task would have, and what the harness makes of them. */
const rows: Readonly<Record<string, readonly [fields: Fields, more?: Partial<CliRequest>]>> = {
  "`model`": [{ model: "other" }],
  "`system_prompt`": [{ system_prompt: "be brief" }],
  "`plugins`": [{}, { pluginDirs: ["/plugins/one"] }],
  "`permission_mode: plan`": [{ permission_mode: "plan" }],
  "`allowed_tools`": [{ allowed_tools: ["Read"] }],
  "`allowed_tools`, part of a tool": [{ allowed_tools: ["Bash(git *)"] }],
  "`disallowed_tools`": [{ disallowed_tools: ["Bash"] }],
  "`disallowed_tools`, part of a tool": [{ disallowed_tools: ["Bash(rm *)"] }],
  "`context_window`": [{ context_window: 64_000 }],
};

function found(type: DocumentedAgent, [fields, more]: readonly [Fields, Partial<CliRequest>?]): "yes" | "warned" | "refused" | "ignored" {
  const plain = invocations[type]({});
  try {
    const invocation = invocations[type](fields, more);
    if (invocation.warnings.length > plain.warnings.length) return "warned";
    return JSON.stringify(invocation) === JSON.stringify(plain) ? "ignored" : "yes";
  } catch (error) {
    if (error instanceof AgentError && error.code === "agent_config_error") return "refused";
    throw error;
  }
}

test("the tables of programs and variables are those of the adapters (node scripts/readme.ts writes them)", () => {
  assert.equal(document, withTables(document, agentTables()));
});

test("every agent that is a program is documented, under one of its names", () => {
  const programs = new Set(agentTypes.flatMap((type) => getAgent(type).cli?.kit.name ?? []));
  assert.deepEqual([...programs].sort(), documentedAgents.map((type) => cliFacts(type).kit.name).sort());
});

test("the table of fields says what each agent makes of them", () => {
  const table = rowsBelow("| | `claude-code` | `codex` |");
  for (const [name, settings] of Object.entries(rows)) {
    const cells = table.find(([field]) => field === name)?.slice(1);
    const expected = documentedAgents.map((type) => found(type, settings));
    assert.deepEqual(
      cells?.map((cell) => cell.replace(" ¹", "")),
      expected,
      name,
    );
  }
});

test("docs/kits.md tells the same versions and packages", () => {
  const kits = rowsBelow("| agent | npm package | version |", read("docs/kits.md"));
  for (const type of documentedAgents) {
    const { kit } = cliFacts(type);
    const [, name, version] = kits.find(([agent]) => agent === `\`${type}\``) ?? [];
    assert.deepEqual([name, version], [`\`${kit.npmPackage}\``, kit.version]);
  }
});

test("the tables of retries say what is tried again, how often and after how long", () => {
  const categories: readonly AgentErrorCategory[] = ["agent_api_error", "agent_rate_limit", "agent_crash"];
  const words: Readonly<Record<number, string>> = { 2: "twice as long", 3: "three times as long" };
  const expected = categories.map((category) => {
    const waits: number[] = [];
    for (let retried = 0; ; retried += 1) {
      const wait = retryDelayMs({ category, retried, retryAfterMs: undefined }, 0);
      if (wait === undefined) break;
      waits.push(wait / 1000);
    }
    const [first = 0, second = 0] = waits;
    return [`\`${category}\``, String(waits.length), `${first} s`, words[second / first]];
  });
  assert.deepEqual(rowsBelow("| category | retries |"), expected);
  const outcomes = rowsBelow("| trouble | status |").filter(([, status]) => status === "ERROR");
  assert.ok(outcomes.length >= 8);
  for (const [trouble, , category = "", retried = ""] of outcomes) {
    const name = [...categories].find((one) => category === `\`${one}\``);
    assert.equal(retried.startsWith("yes"), name !== undefined && isRetryable(name), trouble);
  }
});

test("each agent has its example, which the document links, and the first one is shown as it is", () => {
  const files = globSync("examples/agents/*.yaml", { cwd: root });
  assert.deepEqual(files.map((file) => basename(file, ".yaml")).sort(), [...documentedAgents].sort());
  for (const type of documentedAgents) {
    const task: { readonly task_id?: unknown; readonly agent?: { readonly type?: unknown } } = parse(read(`examples/agents/${type}.yaml`));
    assert.deepEqual([task.task_id, task.agent?.type], [`hello-${type}`, type]);
    assert.ok(document.includes(`(../examples/agents/${type}.yaml)`), type);
  }
  assert.ok(document.includes(read("examples/agents/claude-code.yaml").replace(/^#.*\n/, "")));
});

test("every link within the document leads to a heading of it", () => {
  const headings = new Set(
    Array.from(document.matchAll(/^#+ (.+)$/gm), ([, title = ""]) => title.toLowerCase().replaceAll(",", "").replaceAll(" ", "-")),
  );
  const broken = Array.from(document.matchAll(/\]\(#([^)]+)\)/g), ([, target = ""]) => target).filter((target) => !headings.has(target));
  assert.deepEqual(broken, []);
});
