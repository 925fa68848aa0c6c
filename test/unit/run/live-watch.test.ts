import assert from "node:assert/strict";
import test from "node:test";
import type { AgentEvent } from "../../../src/agents/agent-event.ts";
import type { LiveTelemetry } from "../../../src/agents/telemetry/live-telemetry.ts";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { systemClock } from "../../../src/clock.ts";
import { makePlan } from "../../../src/plan/plan.ts";
import type { ResolvedTask } from "../../../src/plan/resolved-task.ts";
import { commandTelemetrySchema } from "../../../src/results/turn-record.ts";
import { createLiveWatch } from "../../../src/run/live-watch.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";

const call: AgentEvent = { kind: "tool call", id: "1", tool: "Bash", nativeTool: "Bash", parameters: { command: "rm a" } };
const live = (...commands: readonly string[]): LiveTelemetry => ({
  modelCalls: commands.length,
  toolCalls: commands.map((command) => ({ tool_name: "Bash", parameters: { command }, result_status: null })),
  usage: undefined,
  costUsd: null,
});

async function planned(criterion: string): Promise<ResolvedTask> {
  const yaml = `task_id: t\ndescription: d\ninitial_prompt: p\nagent: {type: claude-code}\nsuccess_criteria:\n  - ${criterion}\n`;
  await using folder = await taskFolder({ "t.yaml": yaml });
  const [task] = (await makePlan(planOptions(folder.path))).tasks;
  assert.ok(task !== undefined);
  return task;
}

const guard = "{type: command_executed, description: no rm, command_pattern: rm, min_count: 0, max_count: 1, stop_early: {}}";

test("an agent is stopped at the tool call that decides its criteria, and not before", async () => {
  const watch = createLiveWatch(await planned(guard), undefined, { clock: systemClock, before: [] });
  assert.equal(watch(call, live("rm a")), undefined);
  assert.equal(watch({ kind: "text", text: "x" }, live("rm a", "rm b")), undefined);
  const stop = watch(call, live("rm a", "rm b"));
  assert.equal(stop?.kind === "early stop" ? stop.info.reason : stop?.kind, "criterion_failed");
});

test("tool calls of earlier attempts count, as they do when the criteria are judged", async () => {
  const commands = [commandTelemetrySchema.parse({ tool_name: "Bash", parameters: { command: "rm x" }, result_status: "success" })];
  const before = [{ ...emptyTurn("p", new Date(0)), commands }];
  const watch = createLiveWatch(await planned(guard), undefined, { clock: systemClock, before });
  const stop = watch(call, live("rm a"));
  assert.deepEqual(stop?.kind === "early stop" ? [stop.info.reason, stop.info.tool_call_index] : stop, ["criterion_failed", 1]);
});

test("run_limits.stop_early: false lets the agent work on", async () => {
  const task = await planned(`${guard}\nrun_limits: {stop_early: false}`);
  const watch = createLiveWatch(task, undefined, { clock: systemClock, before: [] });
  assert.equal(watch(call, live("rm a", "rm b")), undefined);
});
