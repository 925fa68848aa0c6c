import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { passAtK } from "../../../src/results/pass-at-k.ts";

const task = (succeeded: number, graded: number) => ({ succeeded, graded });
const near = (actual: number | undefined, expected: number) =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

test("pass@k comes from the closed form over all choices of k tries: one of four that passed makes pass@4 certain", () => {
  const found = passAtK([task(1, 4)]);
  assert.deepEqual(
    found.map(({ k }) => k),
    [2, 3, 4],
  );
  near(found[0]?.pass_at_k, 1 / 2);
  near(found[1]?.pass_at_k, 3 / 4);
  near(found[2]?.pass_at_k, 1);
  assert.deepEqual(
    found.map(({ pass_hat_k }) => pass_hat_k),
    [0, 0, 0],
  );
});

test("of more tries than were made nothing is said, neither 0 nor 1: with one try each there is the pass rate alone", () => {
  assert.deepEqual(passAtK([task(0, 1), task(1, 1)]), []);
  assert.equal(passAtK([task(0, 99)]).at(-1)?.k, 99);
  assert.equal(passAtK([task(0, 99)]).at(-1)?.pass_at_k, 0);
  assert.deepEqual(passAtK([]), []);
});

test("where tasks have different numbers of tries, the fewest bounds k, and tasks without a graded one are left out", () => {
  const found = passAtK([task(2, 4), task(1, 2), task(0, 0)]);
  assert.deepEqual(
    found.map(({ k, tasks }) => [k, tasks]),
    [[2, 2]],
  );
  near(found[0]?.pass_at_k, (5 / 6 + 1) / 2);
  near(found[0]?.pass_hat_k, (1 / 6 + 0) / 2);
});

test("pass@k is worked out per task and then averaged: 50 of 100 tasks solved by two tries each give one half, not nearly 1", () => {
  const half = Array.from({ length: 100 }, (_, index) => task(index % 2 === 0 ? 2 : 0, 2));
  near(passAtK(half)[0]?.pass_at_k, 0.5);
});

test("many tries do not make large numbers", () => {
  const found = passAtK([task(500, 1000)]);
  assert.equal(found.length, 99);
  assert.ok(found.every(({ pass_at_k, pass_hat_k }) => Number.isFinite(pass_at_k) && Number.isFinite(pass_hat_k)));
});

/** The share of all choices of k tries for which `holds`. */
function counted(passes: readonly boolean[], k: number, holds: (chosen: readonly boolean[]) => boolean): number {
  let [all, good] = [0, 0];
  const choose = (from: number, chosen: readonly boolean[]): void => {
    if (chosen.length === k) {
      all += 1;
      if (holds(chosen)) good += 1;
      return;
    }
    for (let index = from; index < passes.length; index += 1) choose(index + 1, [...chosen, passes[index] ?? false]);
  };
  choose(0, []);
  return good / all;
}

test("for any tries it is what counting all choices gives, rises with k, and all of k pass never more often than one of k", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 8 }), (passes) => {
      const found = passAtK([task(passes.filter(Boolean).length, passes.length)]);
      for (const { k, pass_at_k: any, pass_hat_k: all } of found) {
        near(
          any,
          counted(passes, k, (chosen) => chosen.includes(true)),
        );
        near(
          all,
          counted(passes, k, (chosen) => !chosen.includes(false)),
        );
        assert.ok(all <= any);
      }
      for (const [index, { pass_at_k }] of found.entries()) assert.ok(pass_at_k >= (found[index - 1]?.pass_at_k ?? 0) - 1e-12);
    }),
  );
});
