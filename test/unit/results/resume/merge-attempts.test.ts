import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type AttemptFacts, mergeAttempts } from "../../../../src/results/resume/merge-attempts.ts";

const times = [
  null,
  "2026-07-07T10:00:00.000Z",
  "2026-07-07T12:00:00.000+02:00",
  "2026-07-07T10:00:01Z",
  "2026-07-07T10:00:00.5",
  "soon",
  "",
];

/** Results as they lie about: every path once. */
const results = fc.uniqueArray(
  fc.record({
    key: fc.constantFrom("a", "b", "c"),
    attempt: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(Number.NaN)),
    completedAt: fc.constantFrom(...times),
    startedAt: fc.constantFrom(...times),
    valid: fc.boolean(),
    tieBreak: fc.string({ unit: fc.constantFrom("x", "y", "/", "é", "😀"), maxLength: 4 }),
  }),
  { selector: ({ tieBreak }) => tieBreak, maxLength: 12 },
);

const merge = (items: Iterable<AttemptFacts>) => mergeAttempts(items, (item) => item);
const chosen = (items: Iterable<AttemptFacts>) => [...merge(items).chosen.values()].sort((a, b) => (a.key < b.key ? -1 : 1));

test("the choice does not depend on the order", () => {
  const shuffled = results.chain((items) => fc.tuple(fc.constant(items), fc.shuffledSubarray(items, { minLength: items.length })));
  fc.assert(
    fc.property(shuffled, ([items, other]) => {
      assert.deepEqual(chosen(other), chosen(items));
      assert.deepEqual(new Set(merge(other).others), new Set(merge(items).others));
    }),
  );
});

test("the choice does not depend on how the results were divided into shards, nor on how those are put together", () => {
  const divided = fc.tuple(results, fc.array(fc.nat({ max: 2 }), { minLength: 12, maxLength: 12 }));
  fc.assert(
    fc.property(divided, ([items, shardOf]) => {
      const shard = (number: number) => items.filter((_item, index) => shardOf[index] === number);
      const [a, b, c] = [chosen(shard(0)), chosen(shard(1)), chosen(shard(2))];
      const whole = chosen(items);
      assert.deepEqual(chosen([...chosen([...a, ...b]), ...c]), whole);
      assert.deepEqual(chosen([...a, ...chosen([...c, ...b])]), whole);
      assert.deepEqual(chosen([...c, ...a, ...b]), whole);
    }),
  );
});

test("a merge of what was merged changes nothing", () => {
  fc.assert(
    fc.property(results, (items) => {
      const once = chosen(items);
      const twice = merge(once);
      assert.deepEqual(chosen(once), once);
      assert.deepEqual(twice.others, []);
    }),
  );
});

test("every result is either the one of its row or among the others, and the chosen one is the newest valid", () => {
  fc.assert(
    fc.property(results, (items) => {
      const merged = merge(items);
      assert.equal(merged.chosen.size + merged.others.length, items.length);
      assert.deepEqual(new Set(merged.chosen.keys()), new Set(items.map(({ key }) => key)));
      for (const [key, best] of merged.chosen) {
        const rivals = items.filter((item) => item.key === key);
        assert.equal(
          best.valid,
          rivals.some(({ valid }) => valid),
        );
        const valid = rivals.filter((item) => item.valid === best.valid && !Number.isNaN(item.attempt));
        const newest = Math.max(0, ...valid.map(({ attempt }) => attempt));
        assert.equal(Number.isNaN(best.attempt) ? 0 : best.attempt, newest);
      }
    }),
  );
});

test("after a re-run of failed jobs the later attempt counts, whatever the clocks of the machines say", () => {
  const base = { key: "a", completedAt: null, startedAt: null, valid: true };
  const first = { ...base, attempt: 1, completedAt: "2026-07-07T12:00:00Z", tieBreak: "1" };
  const second = { ...base, attempt: 2, completedAt: "2026-07-07T11:00:00Z", tieBreak: "2" };
  const broken = { ...base, attempt: 3, valid: false, tieBreak: "3" };
  assert.deepEqual(merge([first, second, broken]), { chosen: new Map([["a", second]]), others: [first, broken] });
});

test("of equal attempts the one that ended last counts, and of equal ones the first path", () => {
  const base = { key: "a", attempt: 1, startedAt: null, valid: true };
  const early = { ...base, completedAt: "2026-07-07T10:00:00Z", tieBreak: "1" };
  const late = { ...base, completedAt: "2026-07-07T13:00:00+02:00", tieBreak: "2" };
  const copy = { ...late, tieBreak: "3" };
  assert.equal(merge([early, copy, late]).chosen.get("a"), late);
});
