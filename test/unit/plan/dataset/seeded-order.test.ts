import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { seededOrder, takeSeeded } from "../../../../src/plan/dataset/seeded-order.ts";

const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 8 }), { maxLength: 30 });
const count = fc.nat({ max: 32 });
const take = (from: readonly string[], n: number, seed: string) => takeSeeded(from, n, seed, (id) => id);

test("the order of an id is the same on every machine", () => {
  assert.equal(seededOrder("0", "r1"), "4020662cc550e60b00b05e89dafe07606c8d9ccc6988a7ec77b0a4dde7bcf354");
  assert.equal(seededOrder("0", "é😀"), seededOrder("0", "é😀"));
});

test("where the seed ends and the id begins makes a difference", () => {
  assert.notEqual(seededOrder("1", "2a"), seededOrder("12", "a"));
  assert.notEqual(seededOrder("", "1:a"), seededOrder("1", "a"));
});

test("a sample has the wanted size, each item once, in the items' own order", () => {
  fc.assert(
    fc.property(ids, count, fc.string(), (from, n, seed) => {
      const kept = take(from, n, seed);
      assert.equal(kept.length, Math.min(n, from.length));
      assert.deepEqual(
        kept,
        from.filter((id) => kept.includes(id)),
      );
    }),
  );
});

test("one more item changes at most one that is kept", () => {
  fc.assert(
    fc.property(ids, count, fc.string(), fc.nat(), (from, n, seed, at) => {
      const added = "the new one";
      const place = at % (from.length + 1);
      const before = take(from, n, seed);
      const after = take([...from.slice(0, place), added, ...from.slice(place)], n, seed);
      const lost = before.filter((id) => !after.includes(id));
      assert.ok(lost.length <= 1);
      if (!after.includes(added)) assert.deepEqual(after, before);
    }),
  );
});

test("the order of the items does not matter for which are kept", () => {
  const shuffled = ids.chain((from) => fc.tuple(fc.constant(from), fc.shuffledSubarray(from, { minLength: from.length })));
  fc.assert(
    fc.property(shuffled, count, fc.string(), ([from, other], n, seed) => {
      assert.deepEqual(new Set(take(from, n, seed)), new Set(take(other, n, seed)));
    }),
  );
});

test("a larger sample keeps what a smaller one has", () => {
  fc.assert(
    fc.property(ids, count, fc.string(), (from, n, seed) => {
      const larger = take(from, n + 1, seed);
      assert.ok(take(from, n, seed).every((id) => larger.includes(id)));
    }),
  );
});

test("seeds draw different samples, and every item has its chance", () => {
  const from = Array.from({ length: 20 }, (_, index) => `r${index}`);
  const drawn = Array.from({ length: 200 }, (_, seed) => take(from, 5, String(seed)));
  assert.ok(new Set(drawn.map(String)).size > 190);
  for (const id of from) {
    const times = drawn.filter((sample) => sample.includes(id)).length;
    assert.ok(times > 20 && times < 90, `${id}: ${times} of 200`);
  }
});
