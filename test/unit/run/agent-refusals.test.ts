import assert from "node:assert/strict";
import test from "node:test";
import type { AgentEnd } from "../../../src/agents/agent.ts";
import { createAgentRefusals } from "../../../src/run/agent-refusals.ts";

const claude = {
  agent: "claude-code",
  model: "m",
  credentials: ["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"],
  given: ["ANTHROPIC_API_KEY"],
};
const auth: AgentEnd = { kind: "crashed", category: "agent_auth_error", message: "401 invalid\nx-api-key" };
const billing: AgentEnd = { kind: "crashed", category: "agent_billing_error", message: "no credit" };
const completed: AgentEnd = { kind: "completed" };

test("the first refusal ends the starts of that agent and model, with one line that says what to do", () => {
  const told: string[] = [];
  const refusals = createAgentRefusals((line) => void told.push(line));
  assert.equal(refusals.reasonFor(claude), undefined);
  assert.equal(refusals.note(claude, auth), true);
  assert.equal(refusals.note(claude, auth), true);
  assert.deepEqual(told, [
    "no further task of agent 'claude-code' with model 'm' is started: 401 invalid x-api-key; check the key in ANTHROPIC_API_KEY, then resume the run",
  ]);
  assert.equal(refusals.reasonFor(claude), "agent 'claude-code' with model 'm' was not let in by its service");
  assert.equal(refusals.reasonFor({ agent: "claude-code", model: "other" }), undefined);
  assert.equal(refusals.reasonFor({ agent: "codex", model: "m" }), undefined);
});

test("an empty account and a key that is not set have their own remedies", () => {
  const told: string[] = [];
  const refusals = createAgentRefusals((line) => void told.push(line));
  refusals.note({ ...claude, model: undefined }, billing);
  refusals.note({ ...claude, given: [] }, auth);
  refusals.note({ agent: "pi", model: undefined, credentials: [], given: [] }, auth);
  assert.deepEqual(told, [
    "no further task of agent 'claude-code' is started: no credit; check the account of the key in ANTHROPIC_API_KEY, then resume the run",
    "no further task of agent 'claude-code' with model 'm' is started: 401 invalid x-api-key; set ANTHROPIC_API_KEY or CLAUDE_CODE_OAUTH_TOKEN, then resume the run",
    "no further task of agent 'pi' is started: 401 invalid x-api-key; check the agent's key, then resume the run",
  ]);
  assert.equal(refusals.reasonFor({ agent: "claude-code", model: undefined }), "agent 'claude-code' has no credit left at its service");
});

test("an agent that has worked is given up only after two refusals in a row", () => {
  const told: string[] = [];
  const refusals = createAgentRefusals((line) => void told.push(line));
  refusals.note(claude, completed);
  assert.equal(refusals.note(claude, auth), false);
  refusals.note(claude, { kind: "stopped", cause: { kind: "max turns" } });
  assert.equal(refusals.note(claude, billing), false);
  assert.deepEqual([told, refusals.reasonFor(claude)], [[], undefined]);
  assert.equal(refusals.note(claude, auth), true);
  assert.equal(told.length, 1);
});

test("other failures and time-outs refuse nothing and prove nothing", () => {
  const refusals = createAgentRefusals(() => assert.fail("nothing to tell"));
  for (const category of ["agent_rate_limit", "agent_api_error", "agent_crash", "agent_config_error"] as const) {
    assert.equal(refusals.note(claude, { kind: "crashed", category, message: "x" }), false);
  }
  refusals.note(claude, { kind: "timed out", afterMs: 5 });
  assert.equal(refusals.reasonFor(claude), undefined);
});
