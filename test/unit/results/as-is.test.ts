import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { isAsIs } from "../../../src/results/as-is.ts";
import { serializeTaskResult } from "../../../src/results/serialize-task-result.ts";
import { evaluationResultSchema } from "../../../src/results/task-result.ts";
import { fixtureRuns } from "./fixtures.ts";

const usage = { uncached_input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 };

/** What an agent leaves. */
const transcript = {
  task_id: "t",
  final_status: "SUCCESS",
  success_criteria_results: [{ criterion_type: "llm_judge", score: 0.5, findings: [1], token_usage: usage, another_key: 1 }],
  iterations: [
    {
      commands: [{ tool_name: "Bash", parameters: { command: "ls" }, result_status: "success", duration_ms: 1 }],
      messages: [{ role: "assistant", generation_duration_ms: 1, content_blocks: [] }, { role: "user" }],
      token_usage: usage,
      result_summary: { result: "done" },
    },
  ],
  command_stats: { commands_by_tool: { Bash: 1 }, slowest_commands: [{ tool: "Bash", duration_ms: 1 }] },
  total_token_usage: { ...usage, total_cost_usd: 1 },
  evalbatch: { tags: ["a"], sandbox: { driver: "docker" }, stages_ms: { agent: 1 }, artifacts: { left_out: [{ path: "a", reason: "b" }] } },
};

/** Results in our own form that fill every part of it. */
const ours = [
  transcript,
  ...globSync("{mixed,mixed-0.12.16}/**/task.json", { cwd: fixtureRuns }).map((file): unknown =>
    JSON.parse(readFileSync(join(fixtureRuns, file), "utf8")),
  ),
].map((value) => serializeTaskResult(evaluationResultSchema.parse(value)));

const odd = fc.constantFrom<unknown>(null, -1, 1.5, Number.POSITIVE_INFINITY, "", "SUCCESS", true, [], [1], {}, { a: 1 }, [{}]);

/** Puts a value at a place of a JSON value that `picks` choose, adds one under a new key, or takes one away. */
function damage(root: unknown, picks: readonly number[], change: "replace" | "add" | "remove", value: unknown): void {
  let parent = root;
  for (const [depth, pick] of picks.entries()) {
    if (typeof parent !== "object" || parent === null) return;
    const keys = Object.keys(parent);
    const key = keys[pick % Math.max(1, keys.length)];
    if (key === undefined) return;
    const child: unknown = Reflect.get(parent, key);
    const isLast = depth === picks.length - 1 || typeof child !== "object" || child === null;
    if (!isLast) parent = child;
    else if (change === "replace") Reflect.set(parent, key, value);
    else if (Array.isArray(parent)) parent.splice(Number(key), change === "remove" ? 1 : 0, ...(change === "add" ? [value] : []));
    else if (change === "remove") Reflect.deleteProperty(parent, key);
    else Reflect.set(parent, "new_key", value);
    if (isLast) return;
  }
}

test("what we wrote is taken as it is", () => {
  assert.ok(ours.length > 20);
  for (const text of ours) assert.ok(isAsIs(evaluationResultSchema, JSON.parse(text)));
});

test("a result is taken as it is only where reading it would change no key and no value", () => {
  let taken = 0;
  let refused = 0;
  const change = fc.constantFrom("replace", "add", "remove");
  const place = fc.array(fc.nat(50), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(fc.oneof(fc.constant(0), fc.nat(ours.length - 1)), place, change, odd, (index, picks, how, value) => {
      const result: unknown = JSON.parse(ours[index] ?? "");
      damage(result, picks, how, value);
      if (!isAsIs(evaluationResultSchema, result)) {
        refused += 1;
        return;
      }
      taken += 1;
      assert.deepEqual(evaluationResultSchema.parse(result), result);
    }),
    { numRuns: 2000 },
  );
  assert.ok(taken > 50 && refused > 50, `${taken} taken, ${refused} refused`);
});
