import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { InputError } from "../../../src/errors.ts";
import { capTasks } from "../../../src/plan/cap.ts";

const tasksOf = (ids: readonly string[], times = 1) =>
  Array.from({ length: times }, (_replicate, replicateIndex) => ids.map((taskId) => ({ taskId, replicateIndex }))).flat();
const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 40 });

function refusal(act: () => unknown): { readonly code: string; readonly message: string } {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof InputError);
    return { code: error.code, message: error.message };
  }
  throw new assert.AssertionError({ message: "nothing was thrown" });
}

test("a plan that fits is left alone, and nothing is recorded", () => {
  const tasks = tasksOf(["a", "b"]);
  assert.deepEqual(capTasks(tasks, undefined), { tasks, facts: undefined });
  assert.deepEqual(capTasks(tasks, { maxTasks: 2, onMore: "fail", seed: "7" }), { tasks, facts: undefined });
});

test("too many tasks are an error that says how many and what to do", () => {
  const { code, message } = refusal(() => capTasks(tasksOf(["a", "b", "c"]), { maxTasks: 2, onMore: "fail", seed: "7" }));
  assert.deepEqual([code, message], ["too-many-tasks", "3 tasks would run, more than the 2 of max-tasks"]);
});

test("a sample has whole tasks: all their variants and replicates, or none of them", () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 4, max: 60 }), fc.string(), (names, times, maxTasks, seed) => {
      const { tasks, facts } = capTasks(tasksOf(names, times), { maxTasks, onMore: "sample", seed });
      const counts = Map.groupBy(tasks, ({ taskId }) => taskId);
      assert.ok([...counts.values()].every((group) => group.length === times));
      assert.ok(tasks.length <= maxTasks);
      // Nothing more would have fitted.
      assert.ok(tasks.length + times > maxTasks || tasks.length === names.length * times);
      assert.equal(facts?.kept ?? tasks.length, tasks.length);
    }),
  );
});

test("the same seed picks the same tasks, in whatever order they come, and they keep their order", () => {
  fc.assert(
    fc.property(ids, fc.integer({ min: 1, max: 20 }), fc.string(), (names, maxTasks, seed) => {
      const pick = (from: readonly string[]) =>
        capTasks(tasksOf(from), { maxTasks, onMore: "sample", seed }).tasks.map(({ taskId }) => taskId);
      const picked = pick(names);
      assert.deepEqual(new Set(pick(names.toReversed())), new Set(picked));
      assert.deepEqual(
        picked,
        names.filter((name) => picked.includes(name)),
      );
    }),
  );
});

test("a new task moves at most one other out of the sample", () => {
  fc.assert(
    fc.property(
      ids,
      fc.integer({ min: 1, max: 20 }),
      fc.string(),
      fc.string({ minLength: 9, maxLength: 12 }),
      (names, maxTasks, seed, added) => {
        const pick = (from: readonly string[]) =>
          new Set(capTasks(tasksOf(from), { maxTasks, onMore: "sample", seed }).tasks.map(({ taskId }) => taskId));
        const after = pick([...names, added]);
        assert.ok([...pick(names)].filter((name) => !after.has(name)).length <= 1);
      },
    ),
  );
});

test("other seeds pick other tasks", () => {
  const names = Array.from({ length: 30 }, (_name, index) => `t${index}`);
  const picks = new Set(
    ["1", "2", "3", "4"].map((seed) => JSON.stringify(capTasks(tasksOf(names), { maxTasks: 10, onMore: "sample", seed }).tasks)),
  );
  assert.equal(picks.size, 4);
});

test("a cap below one task with its replicates is an error, not an empty run", () => {
  const { code, message } = refusal(() => capTasks(tasksOf(["a"], 5), { maxTasks: 3, onMore: "sample", seed: "1" }));
  assert.deepEqual([code, message], ["too-many-tasks", "max-tasks is 3, and one task with all its variants and replicates is 5"]);
});

test("a resume runs the tasks that the cap let through before, whatever was added", () => {
  const first = capTasks(tasksOf(["a", "b", "c", "d", "e"]), { maxTasks: 3, onMore: "sample", seed: "7" });
  const taskIds = new Set(first.tasks.map(({ taskId }) => taskId));
  const recorded = { maxTasks: 3, planned: 5, seed: "7", taskIds };
  const grown = tasksOf(["0", "1", "a", "b", "c", "d", "e", "f", "g"]);
  const again = capTasks(grown, { maxTasks: 3, onMore: "sample", seed: "another", recorded });
  assert.deepEqual(new Set(again.tasks.map(({ taskId }) => taskId)), taskIds);
  assert.deepEqual(again.facts, { maxTasks: 3, planned: 9, kept: 3, seed: "7" });
  // Another cap is another draw.
  assert.equal(capTasks(grown, { maxTasks: 4, onMore: "sample", seed: "another", recorded }).tasks.length, 4);
});
