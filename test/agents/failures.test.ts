import assert from "node:assert/strict";
import { type AgentType, allTypes } from "./agents.ts";
import { assertOutcome } from "./outcome.ts";
import { type AgentTask, runAgents } from "./run-agents.ts";
import { agentTest, isFull, openStage } from "./stage.ts";

// What goes wrong at the service, told apart. Agents try some calls again by themselves; the harness tries what may pass again.

const light: readonly AgentType[] = ["claude-code", "codex", "gemini", "pi"];
const types = isFull ? allTypes : light;

/** Every attempt is made, or as many as the agent's own time allows. */
interface Case {
  readonly scenario: string;
  readonly expected: string;
  /** Turns on record; absent: more than one. */
  readonly attempts?: number;
  readonly types: readonly AgentType[];
  readonly limits?: Readonly<Record<string, number>>;
}

const cases: readonly Case[] = [
  { scenario: "429-always", expected: "ERROR agent_rate_limit", attempts: 6, types: isFull ? allTypes : ["codex"] },
  { scenario: "529", expected: "ERROR agent_api_error", attempts: 4, types: isFull ? allTypes : ["claude-code"] },
  { scenario: "500", expected: "ERROR agent_api_error", attempts: 4, types: isFull ? allTypes : ["codex"] },
  { scenario: "drop", expected: "ERROR agent_api_error", attempts: 4, types: isFull ? allTypes : ["pi"] },
  { scenario: "429-twice-then-ok", expected: "SUCCESS", types },
  { scenario: "toolfail", expected: "SUCCESS", attempts: 1, types },
];

agentTest("failures of the service have the right status and category, and what passes is tried again", async (t) => {
  await using stage = await openStage();
  const tasks = cases.flatMap(({ scenario, types: of, limits = {} }) =>
    of.map((type): AgentTask => ({ id: `${scenario}-${type}`, type, scenario, limits })),
  );
  await using run = await runAgents(stage, tasks);
  for (const { scenario, expected, attempts, types: of } of cases) {
    for (const type of of) {
      await t.test(`${scenario} ${type}`, async () => {
        const result = await run.resultOf(`${scenario}-${type}`);
        assertOutcome(result, expected, attempts);
        assert.ok(stage.server.calls(`${scenario}-${type}`).length > 0);
      });
    }
  }
  assert.deepEqual(stage.server.problems, []);
});

for (const [scenario, category] of [
  ["401", "agent_auth_error"],
  ["402", "agent_billing_error"],
] as const) {
  const of = scenario === "401" || isFull ? allTypes : light.slice(0, 1);
  agentTest(`${scenario} ends the tasks of an agent after the first one, with one message`, async (t) => {
    await using stage = await openStage();
    // The second task of an agent comes up when its first one is over.
    const tasks = of.flatMap((type) => [1, 2, 3, 4].map((number): AgentTask => ({ id: `${number}-${type}`, type, scenario })));
    await using run = await runAgents(stage, tasks);
    assert.notEqual(run.run.verdict, "passed");
    for (const type of of) {
      await t.test(type, async () => {
        const ran = run.run.task_results.filter(({ task_id }) => task_id.endsWith(`-${type}`));
        assert.ok(ran.length >= 1 && ran.length <= 2, `${ran.length} tasks ran, of which two could have been under way`);
        for (const { task_id } of ran) assertOutcome(await run.resultOf(task_id), `ERROR ${category}`, 1);
        const rest = run.run.not_run.filter(({ task_id }) => task_id.endsWith(`-${type}`));
        assert.equal(rest.length, 4 - ran.length);
        assert.equal(run.end.stderr.split(`no further task of agent '${type}'`).length - 1, 1, run.end.stderr);
      });
    }
  });
}
