import assert from "node:assert/strict";
import test from "node:test";
import { agentTypes, getAgent } from "../../../src/agents/registry.ts";
import { executedAgents } from "../../../src/plan/unsupported.ts";

test("the plan lets through exactly the agent types that there is an adapter for", () => {
  assert.deepEqual([...executedAgents].sort(), [...agentTypes].sort());
});

test("an adapter is found by its type, and asking for another is a bug", () => {
  assert.equal(getAgent("none").type, "none");
  assert.throws(() => getAgent("delegate"), /no adapter for agent type 'delegate'/);
});
