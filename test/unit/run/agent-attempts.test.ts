import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { AgentEnd, AgentErrorCategory, AgentOutcome } from "../../../src/agents/agent.ts";
import { emptyTurn } from "../../../src/agents/turn.ts";
import { type AgentAttemptsOptions, runAgentAttempts } from "../../../src/run/agent-attempts.ts";
import { createRateGate } from "../../../src/run/rate-gate.ts";
import { FakeClock } from "./fake-clock.ts";

const crash = (category: AgentErrorCategory, retryAfterMs?: number): AgentEnd => ({
  kind: "crashed",
  category,
  message: `said ${category}`,
  retryAfterMs,
});
const completed: AgentEnd = { kind: "completed" };

function outcome(end: AgentEnd, output = ""): AgentOutcome {
  return { end, turn: { ...emptyTurn("p", new Date(0)), agent_output: output } };
}

interface Seen {
  readonly timeouts: number[];
  readonly log: string[];
  readonly cleaned: number[];
  readonly options: AgentAttemptsOptions;
}

/** Attempts that end as listed, each after `takesMs`; the last end is repeated. */
function script(clock: FakeClock, ends: readonly AgentEnd[], takesMs = 1000, more: Partial<AgentAttemptsOptions> = {}): Seen {
  const timeouts: number[] = [];
  const log: string[] = [];
  const cleaned: number[] = [];
  const options: AgentAttemptsOptions = {
    run: async (attempt, timeoutMs) => {
      timeouts.push(timeoutMs);
      clock.pass(Math.min(takesMs, timeoutMs));
      if (takesMs > timeoutMs) return outcome({ kind: "timed out", afterMs: timeoutMs });
      return outcome(ends[Math.min(attempt, ends.length) - 1] ?? completed, `attempt ${attempt}`);
    },
    cleanUp: async () => void cleaned.push(clock.monotonicMs()),
    times: { taskSeconds: 600, turnSeconds: undefined },
    clock,
    random: () => 0,
    signal: new AbortController().signal,
    log: (line) => void log.push(line),
    ...more,
  };
  return { timeouts, log, cleaned, options };
}

test("an agent that does its work is run once", async () => {
  const clock = new FakeClock();
  const seen = script(clock, [completed]);
  const { outcome: last, turns, attempts, retries, limit } = await runAgentAttempts(seen.options);
  assert.deepEqual([last.end, turns.length, attempts, retries, limit], [completed, 1, 1, [], { kind: "task", seconds: 600 }]);
  assert.deepEqual([seen.timeouts, seen.cleaned, clock.sleeps], [[600_000], [], []]);
});

test("crashed turns come first and say why; what they left running is killed before the wait", async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const seen = script(clock, [crash("agent_api_error"), crash("agent_api_error"), completed], 1000, {
    onTurn: ({ agent_output }) => void told.push(agent_output),
  });
  const { outcome: last, turns, attempts, retries } = await runAgentAttempts(seen.options);
  assert.equal(last.end.kind, "completed");
  assert.equal(attempts, 3);
  assert.deepEqual(
    turns.map(({ iteration, crashed, crash_reason, agent_output }) => [iteration, crashed, crash_reason, agent_output]),
    [
      [1, true, "said agent_api_error", "attempt 1"],
      [1, true, "said agent_api_error", "attempt 2"],
      [1, false, null, "attempt 3"],
    ],
  );
  assert.deepEqual(told, ["attempt 1", "attempt 2", "attempt 3"]);
  assert.deepEqual(clock.sleeps, [5000, 10_000]);
  assert.deepEqual(seen.cleaned, [1000, 7000]);
  assert.deepEqual(
    retries.map(({ category, delaySeconds }) => [category, delaySeconds]),
    [
      ["agent_api_error", 5],
      ["agent_api_error", 10],
    ],
  );
  assert.deepEqual(seen.log, [
    "agent attempt 1 failed (agent_api_error): said agent_api_error; trying again in 5.0 s",
    "agent attempt 2 failed (agent_api_error): said agent_api_error; trying again in 10 s",
  ]);
});

test("retries of each category are counted by themselves and end with the last failure", async () => {
  const clock = new FakeClock();
  const seen = script(clock, [crash("agent_crash"), crash("agent_api_error"), crash("agent_crash"), crash("agent_crash")]);
  const { outcome: last, attempts } = await runAgentAttempts(seen.options);
  assert.equal(attempts, 4);
  assert.deepEqual(clock.sleeps, [5000, 5000, 10_000]);
  assert.deepEqual(last.end, { ...crash("agent_crash"), message: "said agent_crash (after 4 attempts)" });
});

test("time-outs, stops and failures that stay are not tried again", async () => {
  const ends: AgentEnd[] = [
    { kind: "timed out", afterMs: 5 },
    { kind: "stopped", cause: { kind: "max turns" } },
    crash("agent_auth_error"),
    crash("out_of_memory"),
  ];
  for (const end of ends) {
    const clock = new FakeClock();
    const { outcome: last, attempts } = await runAgentAttempts(script(clock, [end]).options);
    assert.deepEqual([last.end, attempts, clock.sleeps], [end, 1, []]);
  }
});

test("the task's limit covers waits and attempts, the turn's limit each attempt", async () => {
  const clock = new FakeClock();
  const times = { taskSeconds: 60, turnSeconds: 30 };
  const seen = script(clock, [crash("agent_crash")], 20_000, { times });
  const { outcome: last, attempts, limit } = await runAgentAttempts(seen.options);
  // 20 s + 5 s + 20 s, and of the next 10 s of waiting only 15 s would be left.
  assert.deepEqual(seen.timeouts, [30_000, 30_000]);
  assert.equal(attempts, 2);
  assert.deepEqual(limit, { kind: "turn", seconds: 30 });
  assert.ok(last.end.kind === "crashed");
  assert.match(last.end.message, /^said agent_crash \(not tried again: a wait of 10 s leaves no time for it, 15 s of 60 s are left\)$/);
});

test("an attempt that the rest of the task's time ends is a task timeout", async () => {
  const clock = new FakeClock();
  const times = { taskSeconds: 60, turnSeconds: 50 };
  let takes = 20_000;
  const seen = script(clock, [crash("agent_crash")], 0, { times });
  const run: AgentAttemptsOptions["run"] = async (_attempt, timeoutMs) => {
    seen.timeouts.push(timeoutMs);
    clock.pass(Math.min(takes, timeoutMs));
    const isOver = takes > timeoutMs;
    takes = 100_000;
    return outcome(isOver ? { kind: "timed out", afterMs: timeoutMs } : crash("agent_crash"));
  };
  const { outcome: last, limit } = await runAgentAttempts({ ...seen.options, run });
  assert.equal(last.end.kind, "timed out");
  assert.deepEqual(seen.timeouts, [50_000, 35_000]);
  assert.deepEqual(limit, { kind: "task", seconds: 60 });
});

test("an abort during a wait ends it at once with its reason, and the turns so far were handed out", async () => {
  const clock = new FakeClock();
  const stop = new AbortController();
  clock.onSleep = () => stop.abort(new Error("stopped"));
  const told: string[] = [];
  const seen = script(clock, [crash("agent_crash")], 10, { signal: stop.signal, onTurn: (turn) => void told.push(turn.agent_output) });
  await assert.rejects(runAgentAttempts(seen.options), /^Error: stopped$/);
  assert.deepEqual(told, ["attempt 1"]);
});

test("a rate limit of one task delays the first attempt of another one of the same agent, unless its time is too short", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0);
  gate.shut("claude-code", 90_000);
  const shared = { gate: { gate, agent: "claude-code" } };
  const long = script(clock, [completed], 0, shared);
  await runAgentAttempts(long.options);
  assert.deepEqual(clock.sleeps, [90_000]);
  assert.deepEqual(long.timeouts, [510_000]);
  gate.shut("claude-code", 90_000);
  const other = script(clock, [completed], 0, { gate: { gate, agent: "codex" } });
  await runAgentAttempts(other.options);
  const short = script(clock, [completed], 0, { ...shared, times: { taskSeconds: 60, turnSeconds: undefined } });
  await runAgentAttempts(short.options);
  assert.deepEqual(clock.sleeps, [90_000]);
});

test("a rate limit shuts the gate for as long as the service asks", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0);
  const waits: number[] = [];
  clock.onSleep = () => void waits.push(gate.waitMs("pi"));
  const seen = script(clock, [crash("agent_rate_limit", 120_000), completed], 0, { gate: { gate, agent: "pi" } });
  await runAgentAttempts(seen.options);
  assert.deepEqual(clock.sleeps, [120_000]);
  assert.deepEqual(waits, [0]);
});

test("the own rate limit is waited for once, with its random part once; others pause a minute where nobody says how long", async () => {
  const clock = new FakeClock();
  const gate = createRateGate(clock, () => 0.8);
  const seen = script(clock, [crash("agent_rate_limit"), completed], 0, { gate: { gate, agent: "pi" }, random: () => 0.8 });
  const shutFor: number[] = [];
  await runAgentAttempts({ ...seen.options, onRetry: () => void shutFor.push(gate.waitMs("pi")) });
  assert.deepEqual([clock.sleeps, shutFor], [[72_000], [60_000]]);
});

test("delays can be scaled for those who cannot wait", async () => {
  const clock = new FakeClock();
  await runAgentAttempts(script(clock, [crash("agent_rate_limit"), completed], 0, { delayScale: 0.01 }).options);
  assert.deepEqual(clock.sleeps, [600]);
});

test("whatever fails and however long it takes: never over the limit, never more than ten attempts", async () => {
  const categories = ["agent_crash", "agent_api_error", "agent_rate_limit", "agent_auth_error", "unknown"] as const;
  const step = fc.record({
    category: fc.constantFrom(...categories),
    takesMs: fc.integer({ min: 0, max: 100_000 }),
    retryAfterMs: fc.option(fc.integer({ min: 0, max: 200_000 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 30, max: 20_000 }),
      fc.option(fc.integer({ min: 10, max: 1000 }), { nil: undefined }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (steps, taskSeconds, turnSeconds, random) => {
        const clock = new FakeClock();
        const gate = createRateGate(clock, () => random);
        const options: AgentAttemptsOptions = {
          ...script(clock, []).options,
          times: { taskSeconds, turnSeconds },
          random: () => random,
          gate: { gate, agent: "a" },
          run: async (attempt, timeoutMs) => {
            const { category, takesMs, retryAfterMs } = steps[(attempt - 1) % steps.length] ?? {
              category: "unknown",
              takesMs: 0,
              retryAfterMs: 0,
            };
            assert.ok(timeoutMs > 0 && timeoutMs <= (turnSeconds ?? taskSeconds) * 1000);
            clock.pass(Math.min(takesMs, timeoutMs));
            return outcome(takesMs > timeoutMs ? { kind: "timed out", afterMs: timeoutMs } : crash(category, retryAfterMs));
          },
        };
        const { attempts, turns, retries } = await runAgentAttempts(options);
        assert.ok(attempts <= 10);
        assert.equal(turns.length, attempts);
        assert.equal(retries.length, attempts - 1);
        assert.ok(clock.monotonicMs() <= taskSeconds * 1000 + 1e-6, `${clock.monotonicMs()} > ${taskSeconds * 1000}`);
      },
    ),
  );
});
