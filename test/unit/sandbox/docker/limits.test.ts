import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import { containerLimits } from "../../../../src/sandbox/docker/limits.ts";

const gibibyte = 1024 ** 3;
const limitsOf = (limits: object) => sandboxSchema.parse({ limits }).limits;

test("a task's own limits are taken as they are, but never more CPUs than there are", () => {
  const limits = limitsOf({ max_memory_mb: 300, max_cpus: 64, max_pids: 10 });
  assert.deepEqual(containerLimits(limits, { cpus: 4, memoryBytes: 16 * gibibyte }, 4), {
    memoryBytes: 300 * 1024 ** 2,
    cpus: 4,
    pids: 10,
  });
});

test("without limits a task gets a share of the memory, all CPUs and 2,048 processes", () => {
  const shared = containerLimits(limitsOf({}), { cpus: 4, memoryBytes: 16 * gibibyte }, 4);
  assert.deepEqual(shared, { memoryBytes: Math.floor(3.2 * gibibyte), cpus: 4, pids: 2048 });
  assert.equal(containerLimits(limitsOf({ max_memory_mb: 0 }), { cpus: 4, memoryBytes: 16 * gibibyte }, 4).memoryBytes, shared.memoryBytes);
});

test("whatever the machine, the limits are finite and leave it something", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 256 }),
      fc.integer({ min: 1, max: 4096 }),
      fc.integer({ min: 0, max: 1000 }),
      (cpus, gib, concurrency) => {
        const { memoryBytes, pids, ...rest } = containerLimits(limitsOf({}), { cpus, memoryBytes: gib * gibibyte }, concurrency);
        assert.ok(memoryBytes >= 512 * 1024 ** 2 && memoryBytes <= 0.9 * gib * gibibyte);
        assert.ok(rest.cpus > 0 && rest.cpus <= cpus && pids > 0);
      },
    ),
  );
});
