import assert from "node:assert/strict";
import test from "node:test";
import { defaultConcurrency } from "../../../src/run/concurrency.ts";

const gib = 1024 ** 3;
const unlimited = (n: number) => Array.from({ length: n }, () => undefined);

test("as many tasks as CPUs when memory is plenty", () => {
  assert.equal(defaultConcurrency({ cpus: 4, memoryBytes: 16 * gib }, unlimited(10)), 4);
});

test("fewer when the largest memory limit does not fit that often", () => {
  assert.equal(defaultConcurrency({ cpus: 4, memoryBytes: 16 * gib }, [undefined, 6 * gib]), 2);
});

test("never more than there are tasks and never less than one", () => {
  assert.equal(defaultConcurrency({ cpus: 8, memoryBytes: 64 * gib }, unlimited(3)), 3);
  assert.equal(defaultConcurrency({ cpus: 8, memoryBytes: gib / 2 }, unlimited(3)), 1);
  assert.equal(defaultConcurrency({ cpus: 8, memoryBytes: 64 * gib }, []), 1);
});
