import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { namesOfPlanned, rowNames } from "../../../src/report/row-names.ts";
import { keyOfRow } from "../../../src/results/known-rows.ts";
import type { RunRow } from "../../../src/results/run-row.ts";
import { attempt, summaryOf } from "./overview-builders.ts";

const row = (task: string, variant = "default", replicate = 0): RunRow => ({ ...attempt(task, { replicate }), variant_id: variant });

test("a row is called by its task, and by variant and replicate only where there are several", () => {
  const only = row("suite/one", "loud");
  assert.equal(rowNames(summaryOf([only])).of(only), "suite/one");
  const [quiet, loud] = [row("t", "quiet"), row("t", "loud")];
  assert.equal(rowNames(summaryOf([quiet, loud])).of(loud), "t (loud)");
  const [first, second] = [row("t", "a", 0), row("t", "a", 1)];
  const names = rowNames(summaryOf([first, second]));
  assert.deepEqual([names.of(first), names.of(second), names.ofTask(second)], ["t (00)", "t (01)", "t"]);
  const all = [row("t", "a", 0), row("t", "a", 1), row("t", "b", 0)];
  assert.deepEqual(all.map(rowNames(summaryOf(all)).of), ["t (a, 00)", "t (a, 01)", "t (b)"]);
});

test("rows that were not run count: they are what the others are told from", () => {
  const one = row("t", "a");
  const notRun = [{ task_id: "t", variant_id: "b", replicate_index: 1, reason: "cancelled" }];
  const names = rowNames(summaryOf([one], { notRun }));
  assert.deepEqual([names.of(one), ...notRun.map(names.of)], ["t (a)", "t (b, 01)"]);
});

test("the row of a suite is not taken for a replicate", () => {
  const rows = [row("steady", "default", 0), row("steady", "default", 1), row("steady/01", "default", 0)];
  assert.equal(new Set(rows.map(rowNames(summaryOf(rows)).of)).size, 3);
});

test("an overlong id does not hide which variant it is", () => {
  const long = "x".repeat(400);
  const rows = [row(long, "a"), row(long, "b".repeat(300))];
  const shown = rows.map(rowNames(summaryOf(rows)).of);
  assert.match(shown[0] ?? "", /^x{139}… \(a\)$/);
  assert.ok((shown[1] ?? "").length < 200);
});

test("rows of ordinary ids have different names", () => {
  const id = fc.stringMatching(/^[a-z][a-z0-9-]{0,8}(?:\/[a-z0-9]{1,3})?$/);
  const anyRow = fc.tuple(id, fc.constantFrom("a", "b", "default"), fc.nat({ max: 12 }));
  fc.assert(
    fc.property(fc.uniqueArray(anyRow, { selector: (parts) => parts.join(" "), minLength: 1, maxLength: 30 }), (parts) => {
      const rows = parts.map(([task, variant, replicate]) => row(task, variant, replicate));
      assert.equal(new Set(rows.map(rowNames(summaryOf(rows)).of)).size, new Set(rows.map(keyOfRow)).size);
    }),
  );
});

test("rows that are planned are called as they will be when they have run, whatever runs of them", () => {
  const anyRow = fc.tuple(fc.constantFrom("a", "b"), fc.constantFrom("x", "default"), fc.nat({ max: 2 }));
  fc.assert(
    fc.property(fc.uniqueArray(anyRow, { selector: (parts) => parts.join(" "), minLength: 1 }), fc.nat(12), (parts, ran) => {
      const rows = parts.map(([task, variant, replicate]) => row(task, variant, replicate));
      const notRun = rows.slice(ran).map(({ task_id }, at) => {
        const [, variant_id = "", replicate_index = 0] = parts[ran + at] ?? [];
        return { task_id, variant_id, replicate_index, reason: "cancelled" };
      });
      const names = rowNames(summaryOf(rows.slice(0, ran), { notRun }));
      assert.deepEqual(rows.map(namesOfPlanned(rows, []).of), rows.map(names.of));
    }),
  );
  const only = row("t", "a");
  assert.equal(namesOfPlanned([only], ["a", "b"]).of(only), "t (a)");
});
