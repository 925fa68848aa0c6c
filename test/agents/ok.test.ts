import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EvaluationResult } from "../../src/results/task-result.ts";
import { helloFile, lastWords, scenarios } from "../fakes/model-server/scenarios.ts";
import { totalUsage } from "../fakes/model-server/script.ts";
import type { ModelCall } from "../fakes/model-server/server.ts";
import { type AgentFacts, agents, allTypes } from "./agents.ts";
import { runAgents } from "./run-agents.ts";
import { commandLinesWith, containerEnv, filesWith } from "./secrets.ts";
import { agentTest, openStage } from "./stage.ts";

const key = `sk-canary-${process.pid}-${Date.now().toString(36)}-0123456789abcdef`;

agentTest("each agent writes a file and runs it; what is recorded is what the script said, and its key is nowhere", async (t) => {
  const leaks: string[] = [];
  const looked = new Set<string>();
  // While an agent waits for an answer it runs, with everything that it was started with.
  const onCall = async (_call: ModelCall, session: string): Promise<void> => {
    if (looked.has(session)) return;
    looked.add(session);
    leaks.push(...commandLinesWith(key).map((line) => `${session}: command line ${line}`));
    const env = containerEnv(`default/${session}/00`);
    if (env === undefined) leaks.push(`${session}: no container was found`);
    leaks.push(...(env ?? []).filter((entry) => entry.includes(key) || /^(?:HOME|.*_(?:KEY|TOKEN|BASE_URL))=/.test(entry)));
  };
  await using stage = await openStage({ onCall });
  const tasks = allTypes.map((type) => ({ id: `ok-${type}`, type, scenario: "ok" }));
  await using run = await runAgents(stage, tasks, { key });
  for (const type of allTypes) {
    await t.test(type, async () => {
      checkResult(agents[type], await run.resultOf(`ok-${type}`));
      checkCalls(agents[type], stage.server.calls(`ok-${type}`));
      const log = join(run.project.dir, `out/default/ok-${type}/00/conversation.log`);
      assert.ok(existsSync(log) && readFileSync(log, "utf8").includes(lastWords), "the conversation is logged");
    });
  }
  assert.equal(run.run.verdict, "passed", run.end.stderr);
  assert.equal(run.end.code, 0);
  assert.deepEqual(stage.server.problems, []);
  assert.deepEqual([...looked].sort(), tasks.map(({ id }) => id).sort());
  assert.deepEqual(leaks, []);
  assert.deepEqual(filesWith(join(run.project.dir, "out"), key), []);
  assert.ok(!`${run.end.stdout}${run.end.stderr}`.includes(key));
});

function checkResult(facts: AgentFacts, result: EvaluationResult): void {
  assert.equal(result.final_status, "SUCCESS", result.error_message ?? "");
  assert.equal(result.iterations.length, 1);
  const [turn] = result.iterations;
  assert.ok(turn);
  assert.equal(turn.crashed, false);
  // Tokens.
  const { input, cachedInput, cacheCreation, output } = totalUsage(scenarios.ok?.turns ?? []);
  const creation = facts.protocol === "anthropic" ? cacheCreation : 0;
  const { total_cost_usd: cost, ...tokens } = result.total_token_usage ?? { total_cost_usd: null };
  assert.deepEqual(tokens, {
    uncached_input_tokens: input - cachedInput - creation,
    output_tokens: output,
    cache_creation_input_tokens: creation,
    cache_read_input_tokens: cachedInput,
    input_tokens: input,
  });
  if (facts.priced) assert.ok(cost !== null && cost > 0 && cost < 0.1, `cost ${cost}`);
  else assert.ok(cost === null, `cost ${cost}`);
  // Tool calls.
  const [write, shell] = turn.commands;
  assert.deepEqual(
    turn.commands.map(({ tool_name, result_status }) => [tool_name, result_status]),
    facts.tools.map((tool) => [tool, "success"]),
  );
  assert.match(JSON.stringify(write?.parameters), new RegExp(helloFile));
  assert.match(String(shell?.parameters.command), new RegExp(`python3 ${helloFile}`));
  assert.match(shell?.result_summary ?? "", /hello from the script/);
  // Words.
  assert.match(turn.agent_output, /I will write hello\.py\./);
  assert.ok(turn.agent_output.includes(lastWords));
  assert.equal(turn.result_summary?.result, lastWords);
  assert.equal(turn.result_summary?.is_error, false);
  assert.equal(turn.num_turns, 3);
  // What messages tell adds up to what the turn took.
  const written = turn.messages.reduce((sum, message) => sum + (typeof message.output_tokens === "number" ? message.output_tokens : 0), 0);
  assert.equal(written, output);
  assert.match(turn.model_used ?? "", new RegExp(facts.model));
  assert.match(turn.user_input, /^Your working directory is: \/work\n\nWrite hello\.py and run it\./);
}

/** What the service saw: the right protocol, a key, as many calls as the script has turns. */
function checkCalls(facts: AgentFacts, calls: readonly ModelCall[]): void {
  const own = calls.filter(({ aside }) => !aside);
  assert.deepEqual(
    own.map(({ protocol, results, key: sent, model }) => [protocol, results, sent, model.startsWith(facts.model)]),
    [0, 1, 2].map((results) => [facts.protocol, results, "present", true]),
  );
}
