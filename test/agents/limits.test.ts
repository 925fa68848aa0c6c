import assert from "node:assert/strict";
import { allTypes } from "./agents.ts";
import { assertOutcome } from "./outcome.ts";
import { type AgentTask, runAgents } from "./run-agents.ts";
import { agentTest, isFull, openStage } from "./stage.ts";

const limited = isFull ? allTypes : (["claude-code", "codex", "pi"] as const);

agentTest("an agent whose service does not answer, or that never ends, is ended by the task's limits", async (t) => {
  await using stage = await openStage();
  const hanging = (id: string, limits: Readonly<Record<string, number>>) =>
    allTypes.map((type): AgentTask => ({ id: `${id}-${type}`, type, scenario: "hang", limits }));
  const looping = (id: string, limits: Readonly<Record<string, number>>, types: readonly AgentTask["type"][] = limited) =>
    types.map((type): AgentTask => ({ id: `${id}-${type}`, type, scenario: "loop", limits }));
  const tasks = [
    ...hanging("turn", { turn_timeout: 20 }),
    ...(isFull ? hanging("task", { task_timeout: 30 }) : hanging("task", { task_timeout: 30 }).slice(-1)),
    ...looping("turns", { max_turns: 3 }),
    ...looping("tokens", { max_total_tokens: 4000 }),
    ...looping("usd", { max_usd: 0.01 }, ["claude-code", "codex"]),
  ];
  // What waits for its time-out takes no CPU.
  await using run = await runAgents(stage, tasks, { concurrency: 4 });
  const check = async (id: string, expected: string) => {
    const type = allTypes.find((one) => id.endsWith(`-${one}`));
    await t.test(id, async () => {
      const result = await run.resultOf(id);
      assertOutcome(result, expected, 1);
      // On a busy machine an agent may be out of time before it has asked its service at all.
      assert.ok(type !== undefined, id);
    });
  };
  for (const { id } of tasks) {
    if (id.startsWith("turn-")) await check(id, "ERROR agent_timeout");
    if (id.startsWith("task-")) await check(id, "TIMEOUT agent_timeout");
    if (id.startsWith("turns-")) await check(id, "MAX_TURNS_EXHAUSTED");
    if (id.startsWith("tokens-")) await check(id, "TOKEN_BUDGET_EXCEEDED budget_exceeded");
    if (id.startsWith("usd-")) await check(id, "COST_BUDGET_EXCEEDED budget_exceeded");
  }
});
