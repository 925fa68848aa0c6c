import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import type { AgentErrorCategory } from "../../../src/agents/agent.ts";
import { isRetryable, retryDelayMs } from "../../../src/run/retry-policy.ts";

const secondsOf = (category: AgentErrorCategory): (number | undefined)[] =>
  [0, 1, 2, 3, 4, 5].map((retried) => {
    const milliseconds = retryDelayMs({ category, retried, retryAfterMs: undefined }, 0);
    return milliseconds === undefined ? undefined : milliseconds / 1000;
  });

test("each category is retried as often and after such waits as the table says", () => {
  const none = undefined;
  assert.deepEqual(secondsOf("agent_api_error"), [5, 10, 20, none, none, none]);
  assert.deepEqual(secondsOf("agent_rate_limit"), [60, 180, 540, 1620, 4860, none]);
  assert.deepEqual(secondsOf("agent_crash"), [5, 10, none, none, none, none]);
  const final = [
    "agent_timeout",
    "agent_auth_error",
    "agent_billing_error",
    "agent_invalid_output",
    "agent_config_error",
    "out_of_memory",
    "disk_full",
    "unknown",
  ] as const;
  for (const category of final) {
    assert.equal(retryDelayMs({ category, retried: 0, retryAfterMs: 5 }, 0), undefined, category);
    assert.equal(isRetryable(category), false, category);
  }
});

test("what the service asks for wins where it is longer, and a random part of at most a quarter comes on top", () => {
  const rate = { category: "agent_rate_limit", retried: 0 } as const;
  assert.equal(retryDelayMs({ ...rate, retryAfterMs: 1000 }, 0), 60_000);
  assert.equal(retryDelayMs({ ...rate, retryAfterMs: 90_000 }, 0), 90_000);
  fc.assert(
    fc.property(
      fc.constantFrom("agent_api_error" as const, "agent_rate_limit" as const, "agent_crash" as const),
      fc.integer({ min: 0, max: 9 }),
      fc.option(fc.integer({ min: 0, max: 10 ** 7 }), { nil: undefined }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (category, retried, retryAfterMs, random) => {
        const least = retryDelayMs({ category, retried, retryAfterMs }, 0);
        const drawn = retryDelayMs({ category, retried, retryAfterMs }, random);
        if (least === undefined || drawn === undefined) return assert.equal(drawn, least);
        assert.ok(least >= (retryAfterMs ?? 0));
        assert.ok(drawn >= least && drawn <= least * 1.25);
      },
    ),
  );
});
