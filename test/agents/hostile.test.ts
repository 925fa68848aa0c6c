import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentType } from "./agents.ts";
import { outcomeOf } from "./outcome.ts";
import { type AgentTask, runAgents } from "./run-agents.ts";
import { filesWith } from "./secrets.ts";
import { agentTest, isFull, openStage } from "./stage.ts";

const key = `sk-canary-${process.pid}-${Date.now().toString(36)}-fedcba9876543210`;
const types: readonly AgentType[] = isFull ? ["claude-code", "codex", "gemini", "pi"] : ["pi"];
const anything = { type: "run_command", description: "it ended", command: "true" };

agentTest("what an agent prints of keys, control characters and very long lines does no harm, and memory has an end", async (t) => {
  await using stage = await openStage();
  const tasks = types.flatMap((type) =>
    ["hostile", "big", "oom"].map((scenario): AgentTask => {
      return { id: `${scenario}-${type}`, type, scenario, criteria: [anything], memoryMb: 1024 };
    }),
  );
  await using run = await runAgents(stage, tasks, { key });
  for (const { id, scenario } of tasks) {
    await t.test(id, async () => {
      const result = await run.resultOf(id);
      // The memory killer takes the command that is too large, or the agent itself.
      const expected = scenario === "oom" ? ["SUCCESS", "ERROR out_of_memory"] : ["SUCCESS"];
      assert.ok(expected.includes(outcomeOf(result)), `${outcomeOf(result)}: ${result.error_message}`);
    });
  }
  assert.deepEqual(filesWith(join(run.project.dir, "out"), key), []);
  const said = `${run.end.stdout}${run.end.stderr}`;
  assert.ok(!said.includes(key));
  assert.ok(!said.includes("\u001b[31m"), "escape sequences of the model do not reach the terminal");
});
