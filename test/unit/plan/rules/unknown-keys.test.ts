import assert from "node:assert/strict";
import test from "node:test";
import { criterion, errorsOf, type Fields } from "./rule-table.ts";

// formats.md 1: the top level ignores unknown keys with a warning, every mapping below it refuses them.
const odd = { colour: 1 };
const dialog = { persona: "p", goal: "g" };
const recorded = (more: object) => ({ sandbox: { record_cli: [{ tool: "uip", ...more }] } });
const source = (more: object) => ({ sandbox: { template_sources: [more] } });
const only = (type: string, more: object) => ({ success_criteria: [{ type, description: "d", ...more }] });

const blocks: Readonly<Record<string, Fields>> = {
  agent: { agent: { type: "codex", ...odd } },
  "agent.plugins[0]": { agent: { plugins: [{ type: "local", path: "x", ...odd }] } },
  sandbox: { sandbox: odd },
  "sandbox.docker": { sandbox: { docker: odd } },
  "sandbox.docker.build": { sandbox: { docker: { build: odd } } },
  "sandbox.python": { sandbox: { python: odd } },
  "sandbox.node": { sandbox: { node: odd } },
  "sandbox.limits": { sandbox: { limits: odd } },
  "sandbox.template_sources[0]": source({ type: "template_dir", path: "x", ...odd }),
  "sandbox.template_sources[0].files[0]": source({ type: "starter_files", files: [{ path: "a", content: "", ...odd }] }),
  "sandbox.record_cli[0]": recorded(odd),
  "sandbox.record_cli[0].responses[0]": recorded({ responses: [{ when: {}, ...odd }] }),
  "sandbox.record_cli[0].responses[0].when": recorded({ responses: [{ when: odd }] }),
  run_limits: { run_limits: odd },
  reference: { reference: { file: "a", ...odd } },
  dataset: { dataset: { rows: [{ id: "a" }], ...odd } },
  simulation: { simulation: { ...dialog, ...odd } },
  "pre_run[0]": { pre_run: [{ command: "x", ...odd }] },
  "post_run[0]": { post_run: [{ command: "x", ...odd }] },
  checker_context: { checker_context: odd },
  "checker_context.api_route": { checker_context: { api_route: odd } },
  "success_criteria[0]": { success_criteria: [{ ...criterion, ...odd }] },
  "success_criteria[0].patterns[0]": only("file_check", { path: "a", patterns: [{ pattern: "x", ...odd }] }),
  "success_criteria[0].assertions[0]": only("json_check", { path: "a", assertions: [{ expression: "x", expected: 1, ...odd }] }),
  "success_criteria[0].flags.output": only("cli_called", { flags: { output: { equals: "x", ...odd } } }),
  "success_criteria[0].stop_early": only("command_executed", { stop_early: odd }),
};

for (const [block, fields] of Object.entries(blocks)) {
  test(`1 an unknown key in ${block} is refused`, () => assert.equal(errorsOf(fields), `${block}.colour: unknown field 'colour'`));
}

test("1 rows and free mappings take any key", () => {
  assert.equal(errorsOf({ dataset: { rows: [{ id: "a", ...odd }] } }), "");
  assert.equal(errorsOf({ agent: { type: "claude-code", claude_settings: odd } }), "");
  assert.equal(errorsOf({ agent: { type: "delegate", sdk_options: odd } }), "");
});
