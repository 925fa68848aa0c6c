import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { renderSuiteMarkdown } from "../../../src/report/suite-markdown.ts";
import { criterionResultSchema } from "../../../src/results/criterion-result.ts";
import { createSuiteTotals } from "../../../src/results/suites/suite-totals.ts";
import { addRow, labelled, rollupOf, type SampleRow, scored } from "../results/suites/suite-rows.ts";
import { addressesOf, filteredText, headingsOf, liveReference, render, tagsOf } from "../untrusted/github-render.ts";

test("a suite in which rows broke shows both readings of its numbers, and which decided", () => {
  const rows: SampleRow[] = [{ found: [1] }, { status: "ERROR", error: "set-up failed" }];
  const page = renderSuiteMarkdown(rollupOf(rows, [scored({ mean: 0.9 })]));
  const lines = page.split("\n");
  for (const line of [
    "**Rows**: 2 total — 1 passed, 0 failed, 1 errored  ",
    "_Denominator: 2 rows, of which 1 without a result count as score 0_",
    "| metric | value | rows with a result |",
    "| `mean` | 0.500 | 1.000 |",
    "| `mean` | 0.900 | 0.500 | ✗ |",
    "**Suite gate**: FAILED",
    "- error: set-up failed",
  ]) {
    assert.ok(lines.includes(line), line);
  }
});

test("a label of rows that broke has no number of the other reading", () => {
  const rows: SampleRow[] = [{ found: [["yes", "yes"]] }, { status: "ERROR", criteria: [labelled("no")] }];
  const page = renderSuiteMarkdown(rollupOf(rows, [labelled("yes")]));
  assert.match(page, /^\| `recall\.no` \| 0\.000 \| — \|$/m);
  assert.match(page, /^_Denominator: 2 rows, of which 1 without a result count as score 0 and as observed \(error\)_$/m);
});

test("a suite that was cut short says what was not run, and that its gate may still be reached", () => {
  const totals = createSuiteTotals();
  addRow(totals, { found: [1] }, 0, [scored({ count: 1, mean: 0.9 })]);
  totals.addAbsent({ variantId: "default", suiteId: "s", rowId: "x", criteria: [], order: 1 });
  const [rollup] = totals.rollups();
  assert.ok(rollup !== undefined);
  const page = renderSuiteMarkdown(rollup);
  assert.match(page, /^\*\*Rows\*\*: 2 total — 1 passed, 0 failed, 0 errored, 1 not run /m);
  assert.match(page, /^\*\*Suite gate\*\*: NOT REACHED YET$/m);
});

test("thresholds on a criterion that no row reached are shown with the reason", () => {
  const page = renderSuiteMarkdown(rollupOf([{ status: "ERROR" }], [scored({ mean: 0.5 })]));
  assert.match(page, /^_Error: Criterion checker did not produce an aggregate, so thresholds cannot be evaluated\._$/m);
  assert.match(page, /^\| `mean` \| 0\.500 \| — \| ✗ \|$/m);
});

test("a suite without thresholds has no gate, and one without failures no samples", () => {
  const page = renderSuiteMarkdown(rollupOf([{ found: [1] }], [scored()]));
  assert.doesNotMatch(page, /Suite gate|samples/);
});

test("with many labels the confusion is a list of what was taken for what, and every list has an end", () => {
  const rows = Array.from({ length: 500 }, (_, index): SampleRow => ({ found: [[`label-${index}`, `label-${(index * 7) % 500}`]] }));
  const page = renderSuiteMarkdown(rollupOf(rows, [labelled("yes")]));
  assert.doesNotMatch(page, /Confusion matrix/);
  assert.match(page, /^### Confusions$/m);
  assert.match(page, /^… and [\d,]+ more labels, see suite\.json$/m);
  assert.ok(page.length < 40_000, `${page.length}`);
});

const attacks = [
  "| a | b |\n|---|---|\n| x | y |",
  "</code></details><script>alert(1)</script>",
  "# PASSED\n\n@octocat #1 https://evil.example ![](https://evil.example/x.png)",
  "<!-- evalbatch:comment -->",
  "\u202eevil\u202c `` ` ",
  "_x_\n\n---\n\n> [!NOTE]",
];
const own = ["h1", "h2", "h3", "p", "ul", "li", "strong", "em", "code", "br", "span", "table", "thead", "tbody", "tr", "th", "td"];

test("whatever rows, labels and reasons are called, the page holds nothing of theirs but text", () => {
  const foreign = fc.oneof(fc.constantFrom(...attacks), fc.string());
  fc.assert(
    fc.property(foreign, foreign, foreign, (suite, label, reason) => {
      const miss = criterionResultSchema.parse({ criterion_type: label, description: suite, score: 0, details: reason });
      const criteria = [labelled(label, { [`recall.${label}`]: 1 }), { ...scored(), type: label, description: reason }];
      const rows: SampleRow[] = [
        { suite: `${suite}x`, found: [[label, reason], miss], status: "FAILURE" },
        { suite: `${suite}x`, status: "ERROR", error: reason },
      ];
      const page = renderSuiteMarkdown(rollupOf(rows, criteria));
      const html = render(page);
      for (const tag of tagsOf(html)) assert.ok(own.includes(tag), `<${tag}>`);
      assert.deepEqual(addressesOf(html), []);
      assert.doesNotMatch(filteredText(html), liveReference);
      for (const { text } of headingsOf(html)) {
        assert.match(
          text,
          /^(?:Suite Rollup: |Criterion stats$|Aggregate metrics — |Thresholds$|Per-label|Confusion|Failed\/errored|.* — (?:FAILURE|ERROR)$)/s,
        );
      }
    }),
  );
});
