import assert from "node:assert/strict";
import test from "node:test";
import { commandExecuted, commandExecutedSchema } from "../../../src/criteria/command-executed.ts";
import { skillTriggered, skillTriggeredSchema, usesSkill } from "../../../src/criteria/skill-triggered.ts";
import { memorySandbox } from "../../fakes/memory-sandbox.ts";

const call = (tool_name: string, parameters: Readonly<Record<string, unknown>>) => ({ tool_name, parameters, result_status: null });

test("a skill is used by its tool, or by a path of one of its files, with slashes of any kind", () => {
  const uses = (tool: string, parameters: Readonly<Record<string, unknown>>) => usesSkill(call(tool, parameters), "maps");
  assert.ok(uses("Skill", { skill: "maps" }));
  assert.ok(uses("Skill", { skill: "pack:sub:maps" }));
  assert.ok(!uses("Skill", { skill: "maps:other" }));
  assert.ok(!uses("Other", { skill: "maps" }));
  assert.ok(!uses("Skill", { skill: 3 }));
  for (const path of ["/x/skills/maps/SKILL.md", "C:\\x\\skills\\maps\\SKILL.md", 'cat "C:\\\\x\\\\skills\\\\maps\\\\SKILL.md"']) {
    assert.ok(uses("Bash", { command: path }), path);
  }
  for (const path of ["/x/skills/maps", "/x/skills/mapsy/a", "/x/skills/sub/maps/a"]) assert.ok(!uses("Read", { file_path: path }), path);
  assert.ok(!uses("Read", { nested: { file_path: "/x/skills/maps/a" } }));
});

test("without a turn nothing can be told: score 0 with a reason and without labels", async () => {
  const context = { sandbox: memorySandbox(), commandEnv: {}, signal: new AbortController().signal };
  const skill = skillTriggeredSchema.parse({ type: "skill_triggered", description: "d", expected_skill: "", skill_name: "maps" });
  const guard = commandExecutedSchema.parse({ type: "command_executed", description: "d", min_count: 0, max_count: 0 });
  const nothing = { score: 0, details: null, error: "No turn data: the agent did not run" };
  assert.deepEqual(await skillTriggered.check(skill, context), nothing);
  assert.deepEqual(await commandExecuted.check(guard, context), nothing);
});
