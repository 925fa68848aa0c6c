import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { ToolCall } from "../../../../src/criteria/criterion.ts";
import { type Criterion, criterionSchema } from "../../../../src/criteria/criterion-schema.ts";
import { createEarlyStop, type EarlyStopFound } from "../../../../src/criteria/early-stop/early-stop.ts";
import { earlyStopVerdict } from "../../../../src/criteria/early-stop/gate.ts";
import { gradeTask } from "../../../../src/criteria/grade.ts";
import { earlyStopInfoSchema } from "../../../../src/results/early-stop-info.ts";
import { memorySandbox } from "../../../fakes/memory-sandbox.ts";

const bash = (command: string, result_status: string | null = "success"): ToolCall => ({
  tool_name: "Bash",
  parameters: { command },
  result_status,
});
const skill = (name: string): ToolCall => ({ tool_name: "Skill", parameters: { skill: name }, result_status: null });

const count = (more: object): Criterion => criterionSchema.parse({ type: "command_executed", description: "count", ...more });
const triggered = (name: string, expected: string, more: object): Criterion =>
  criterionSchema.parse({ type: "skill_triggered", description: name, skill_name: name, expected_skill: expected, ...more });

interface Rule {
  readonly stopEarly?: boolean | undefined;
  readonly gateThreshold?: number | undefined;
}

/** Asks after each call. Gives the first reason and after how many calls it came. */
function watch(
  criteria: readonly Criterion[],
  calls: readonly ToolCall[],
  rule: Rule = {},
): { at: number; found: EarlyStopFound } | undefined {
  let now = 1_000;
  const early = createEarlyStop(criteria, {
    stopEarly: rule.stopEarly,
    gateThreshold: rule.gateThreshold,
    maxTurns: 10,
    startedMs: 1_000,
    nowMs: () => now,
  });
  for (let at = 0; at <= calls.length; at += 1) {
    const found = early.decide(calls.slice(0, at), { modelCalls: at });
    if (found !== undefined) return { at, found };
    now += 500;
  }
  return undefined;
}

const reasonOf = (...args: Parameters<typeof watch>): string | undefined => {
  const stop = watch(...args);
  return stop === undefined ? undefined : `${stop.found.reason} at ${stop.at}`;
};

test("a block alone ends the run when the criterion cannot be met any more, and tells what it knows", () => {
  const guard = count({ description: "no rm", command_pattern: "rm ", min_count: 0, max_count: 1, stop_early: {} });
  const stop = watch([guard], [bash("rm a"), bash("ls"), bash("rm b"), bash("rm c")]);
  assert.equal(stop?.at, 3);
  assert.deepEqual(earlyStopInfoSchema.parse(stop.found), {
    reason: "criterion_failed",
    deciding_criterion_type: "command_executed",
    deciding_criterion_description: "no rm",
    armed_criteria: ["command_executed"],
    sdk_turn_index: 3,
    tool_call_index: 2,
    elapsed_seconds: 1.5,
    turns_remaining_at_stop: 7,
    gate_threshold: 1,
  });
});

test("a criterion that is met ends the run only where it says so", () => {
  const calls = [bash("ls"), bash("make"), bash("ls")];
  assert.equal(reasonOf([count({ command_pattern: "make", stop_early: {} })], calls), undefined);
  assert.equal(reasonOf([count({ command_pattern: "make", stop_early: { on_pass: "stop" } })], calls), "criterion_passed at 2");
});

test("what a later call can undo is not met for good", () => {
  assert.equal(
    reasonOf([count({ command_pattern: "a", max_count: 2, stop_early: { on_pass: "stop" } })], [bash("a"), bash("b")]),
    undefined,
  );
});

test("where success is required, the result is waited for", () => {
  const criteria = [count({ require_success: true, stop_early: { on_pass: "stop" } })];
  assert.equal(reasonOf(criteria, [bash("a", null)]), undefined);
  const early = createEarlyStop(criteria, { stopEarly: null, gateThreshold: undefined, maxTurns: undefined, startedMs: 0, nowMs: () => 0 });
  assert.equal(early.decide([bash("a", null)], { modelCalls: 1 }), undefined);
  assert.equal(early.decide([bash("a", "error"), bash("a", null)], { modelCalls: 1 }), undefined);
  const found = early.decide([bash("a", "error"), bash("a", "success")], { modelCalls: 2 });
  assert.deepEqual([found?.reason, found?.turns_remaining_at_stop], ["criterion_passed", null]);
});

test("one of many skills: the run ends with the first skill, right or wrong", () => {
  const criteria = ["maps", "charts", "tables"].map((name) => triggered(name, "maps", { stop_early: { on_pass: "stop" } }));
  const right = watch(criteria, [bash("ls"), skill("pack:maps"), bash("ls")]);
  assert.deepEqual([right?.at, right?.found.reason, right?.found.deciding_criterion_description], [2, "criterion_passed", "maps"]);
  const wrong = watch(criteria, [skill("charts"), skill("maps")]);
  assert.deepEqual([wrong?.at, wrong?.found.reason, wrong?.found.deciding_criterion_description], [1, "criterion_failed", "charts"]);
  assert.equal(watch(criteria, [bash("ls")]), undefined);
});

test("a met criterion waits for the other armed ones, as they stand", () => {
  const stop = { stop_early: { on_pass: "stop" } };
  const both = [count({ command_pattern: "a", ...stop }), count({ command_pattern: "b", ...stop })];
  assert.equal(reasonOf(both, [bash("a"), bash("c"), bash("b")]), "criterion_passed at 3");
  const guarded = [count({ command_pattern: "a", ...stop }), count({ command_pattern: "b", min_count: 0, max_count: 0, stop_early: {} })];
  assert.equal(reasonOf(guarded, [bash("a")]), "criterion_passed at 1");
});

test("the gate of armed criteria may be reached without all of them", () => {
  const stop = { stop_early: { on_pass: "stop" } };
  const criteria = [count({ command_pattern: "^a$", weight: 3, ...stop }), triggered("maps", "", { weight: 1, ...stop })];
  assert.equal(reasonOf(criteria, [skill("maps"), bash("a")]), "criterion_failed at 1");
  const rule = { gateThreshold: 0.7 };
  assert.equal(reasonOf(criteria, [skill("maps"), bash("a")], rule), "criterion_passed at 2");
  assert.equal(watch(criteria, [bash("a")], rule)?.found.gate_threshold, 0.7);
  const results = [1, 0].map((score) => ({ score, pass_threshold: 0.9, gating: true }));
  assert.equal(earlyStopVerdict(results, criteria, { stopEarly: null, gateThreshold: 0.7 }), true);
  assert.equal(earlyStopVerdict(results, criteria, { stopEarly: null, gateThreshold: undefined }), false);
});

test("after its budget of tool calls a criterion counts as it stands", () => {
  const within = (more: object) => ({ stop_early: { decide_within: 2, ...more } });
  const calls = [bash("x"), bash("y"), skill("maps")];
  assert.equal(reasonOf([triggered("maps", "maps", within({}))], calls), "decision_budget_exceeded at 2");
  assert.equal(reasonOf([triggered("maps", "", within({ on_pass: "stop" }))], calls), "decision_budget_exceeded at 2");
  assert.equal(reasonOf([triggered("maps", "", within({}))], calls.slice(0, 2)), undefined);
  assert.equal(reasonOf([triggered("maps", "maps", within({ on_pass: "stop" }))], [bash("x"), skill("maps")]), "criterion_passed at 2");
});

test("the last call of a budget counts with its result", () => {
  const criteria = [count({ require_success: true, stop_early: { decide_within: 1, on_pass: "stop" } })];
  assert.equal(reasonOf(criteria, [bash("x", null)]), undefined);
  assert.equal(reasonOf(criteria, [bash("x", "error")]), "decision_budget_exceeded at 1");
  assert.equal(reasonOf(criteria, [bash("x", null), bash("y", null)]), "decision_budget_exceeded at 2");
});

test("run_limits.stop_early: false switches blocks off", () => {
  const criteria = [count({ min_count: 0, max_count: 0, stop_early: {} })];
  assert.equal(reasonOf(criteria, [bash("a")]), "criterion_failed at 1");
  assert.equal(reasonOf(criteria, [bash("a")], { stopEarly: false }), undefined);
});

test("the older syntax stops in the direction that it names, and only with its switch", () => {
  const calls = [bash("a"), bash("b")];
  const met = (stop_when: string) => [count({ command_pattern: "a", stop_when })];
  const broken = (stop_when: string) => [count({ command_pattern: "b", min_count: 0, max_count: 0, stop_when })];
  const on = { stopEarly: true };
  assert.equal(reasonOf(met("pass"), calls), undefined);
  for (const when of ["pass", "decided", "auto"]) assert.equal(reasonOf(met(when), calls, on), "criterion_passed at 1", when);
  for (const when of ["fail", "decided", "auto"]) assert.equal(reasonOf(broken(when), calls, on), "criterion_failed at 2", when);
  assert.equal(reasonOf(met("fail"), calls, on), undefined);
  assert.equal(reasonOf(broken("pass"), calls, on), undefined);
});

test("in the older syntax every armed criterion must pass, unless the task gives a gate", () => {
  const half = [count({ min_count: 2, pass_threshold: 0.5, stop_when: "pass" })];
  assert.equal(reasonOf(half, [bash("a"), bash("b")], { stopEarly: true }), "criterion_passed at 1");
  assert.equal(reasonOf(half, [bash("a"), bash("b")], { stopEarly: true, gateThreshold: 1 }), "criterion_passed at 2");
  const results = [{ score: 0.5, pass_threshold: 0.5, gating: true }];
  assert.equal(earlyStopVerdict(results, half, { stopEarly: true, gateThreshold: undefined }), true);
  assert.equal(earlyStopVerdict(results, half, { stopEarly: true, gateThreshold: 1 }), false);
});

test("a pattern that cannot be read fails at the first call, one that runs away decides nothing", () => {
  assert.equal(reasonOf([count({ command_pattern: "(", stop_early: {} })], [bash("a")]), "criterion_failed at 1");
  const evil = { command_pattern: "(x+x+)+y", min_count: 0, max_count: 0, stop_early: { decide_within: 1, on_pass: "stop" } };
  assert.equal(reasonOf([count(evil)], [bash("x".repeat(60)), bash("y")]), undefined);
});

test("criteria without a block decide nothing, and nothing is armed without one", () => {
  const rule = { stopEarly: null, gateThreshold: undefined, maxTurns: undefined, startedMs: 0, nowMs: () => 0 };
  assert.equal(createEarlyStop([count({})], rule).isArmed, false);
  assert.equal(createEarlyStop([count({ stop_early: {} })], rule).isArmed, true);
  assert.equal(
    reasonOf([count({ max_count: 1 }), count({ command_pattern: "z", stop_early: { on_pass: "stop" } })], [bash("a"), bash("b")]),
    undefined,
  );
});

const callOf = fc.oneof(
  fc
    .record({ command: fc.constantFrom("a", "b", "a b", "c"), status: fc.constantFrom("success", "error", null) })
    .map(({ command, status }) => bash(command, status)),
  fc.constantFrom("maps", "charts").map(skill),
);
const block = fc.record({ on_pass: fc.constantFrom("stop", "continue") });
const criterionOf = fc.oneof(
  fc
    .record({
      command_pattern: fc.option(fc.constantFrom("a", "b", "^c$")),
      exclude_pattern: fc.option(fc.constantFrom("b")),
      min_count: fc.integer({ min: 0, max: 3 }),
      extra: fc.option(fc.integer({ min: 0, max: 2 })),
      require_success: fc.boolean(),
      pass_threshold: fc.constantFrom(0, 0.5, 0.9),
      weight: fc.constantFrom(1, 2),
      stop_early: block,
    })
    .map(({ extra, ...rest }) => count({ ...rest, max_count: extra === null ? null : rest.min_count + extra })),
  fc
    .record({ name: fc.constantFrom("maps", "charts"), expected: fc.constantFrom("maps", ""), stop_early: block })
    .map(({ name, expected, stop_early }) => triggered(name, expected, { stop_early })),
);

test("whatever the agent would have done after a stop, the criterion that decided it would have ended the same", async () => {
  const grade = (criteria: readonly Criterion[], toolCalls: readonly ToolCall[]) =>
    gradeTask(criteria, { sandbox: memorySandbox(), commandEnv: {}, toolCalls, signal: new AbortController().signal });
  let stops = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(criterionOf, { minLength: 1, maxLength: 3 }),
      fc.array(callOf, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(undefined, 0.5, 1),
      async (described, calls, gateThreshold) => {
        const criteria = described.map((criterion, index) => ({ ...criterion, description: String(index) }));
        const stop = watch(criteria, calls, { gateThreshold });
        if (stop === undefined) return;
        stops += 1;
        const index = Number(stop.found.deciding_criterion_description);
        const passed = stop.found.reason === "criterion_passed";
        const rule = { stopEarly: null, gateThreshold };
        for (const end of [stop.at, calls.length]) {
          const results = await grade(criteria, calls.slice(0, end));
          const own = results[index];
          assert.equal(own !== undefined && own.score >= own.pass_threshold, passed);
          // A failed gate stays failed; a passed one is judged where the run was stopped.
          if (!passed || end === stop.at) assert.equal(earlyStopVerdict(results, criteria, rule), passed);
        }
      },
    ),
    { numRuns: 300 },
  );
  assert.ok(stops > 20);
});
