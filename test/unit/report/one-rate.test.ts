import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { commentFileText } from "../../../src/github/comment-file.ts";
import { outputsOf } from "../../../src/github/outputs.ts";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { percent } from "../../../src/report/number-text.ts";
import { commentLadder, summaryLadder } from "../../../src/report/overview.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { judgeGate } from "../../../src/results/gate.ts";
import { percentText } from "../../../src/results/gate-text.ts";
import { compareWithPrevious, encodeRows } from "../../../src/results/row-digest.ts";
import { runJsonChunks } from "../../../src/results/run-json.ts";
import { type RunSummary, runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { passRateOf } from "../../../src/results/statistics.ts";
import { md } from "../../../src/untrusted/markdown.ts";
import { policy, runOf } from "../results/gate-runs.ts";
import { anyTriedRows, earlier, tried } from "../results/histories.ts";
import { factsOf } from "./overview-builders.ts";

// Published numbers have one function each: every surface must show the same ones, and parts that add up (B84).

const place = { repository: "a/b", number: 1, headSha: "c".repeat(40), runId: "1", runAttempt: 1, key: "k" };
const where = { runDir: "/r", runJson: "/r/run.json" };
const numbers = (text: string, pattern: RegExp): number[] => {
  const found = pattern.exec(text);
  assert.ok(found !== null, `${pattern} is not in ${text.slice(0, 3000)}`);
  return found.slice(1).map((part) => Number((part ?? "0").replaceAll(",", "")));
};
const plain = (text: string) => text.replace(/<[^>]*>|\*\*|&\w+;/g, " ").replace(/ +/g, " ");

interface Surfaces {
  readonly console: string;
  readonly page: string;
  readonly report: string;
  readonly summary: string;
  readonly comment: string;
}

function surfacesOf(summary: RunSummary): Surfaces {
  const facts = factsOf(summary);
  const first = (ladder: Iterable<string>): string => [...ladder][0] ?? "";
  return {
    console: renderConsoleSummary(summary, { runDir: "/r", columns: 200, colour: false }),
    page: renderRunHtml(summary),
    report: renderRunMarkdown(summary),
    summary: plain(first(summaryLadder(facts, md``))),
    comment: plain(first(commentLadder(facts))),
  };
}

const anyRun = fc.tuple(anyTriedRows, fc.nat({ max: 3 })).map(([rows, notRun]) => runOf({ rows, notRun }));

test("whatever was tried how often, every surface shows the same rate of the same rows", () => {
  fc.assert(
    fc.property(anyRun, (summary) => {
      const { passed, graded, rate } = passRateOf(summary);
      assert.equal(summary.pass_rate, rate ?? null);
      const reread = runSummarySchema.parse(JSON.parse([...runJsonChunks(summary)].join("")));
      assert.deepEqual(passRateOf(reread), passRateOf(summary));
      assert.equal(reread.pass_rate, summary.pass_rate);
      assert.equal(JSON.parse(commentFileText(place, summary)).pass_rate, summary.pass_rate);
      assert.equal(outputsOf(summary, where, {})["pass-rate"], rate === undefined ? "" : String(rate));
      const another = { ...summary, run_id: "another" };
      assert.equal(compareWithPrevious(encodeRows(summary, undefined), another)?.previous.passRate, rate);
      const { console, page, report, summary: overview, comment } = surfacesOf(summary);
      if (rate === undefined) {
        assert.match(console, /no pass rate: nothing was graded/);
        assert.match(page, /<b>–<\/b><span>pass rate/);
        assert.match(report, /\*\*Success Rate\*\*: N\/A/);
        for (const text of [overview, comment]) assert.match(text, /No pass rate: nothing was graded/);
        return;
      }
      const shown = percent(rate);
      assert.ok(console.includes(`pass rate ${shown} (${passed}/${graded})`));
      assert.ok(page.includes(`<b>${shown}</b><span>pass rate, ${passed} of ${graded}</span>`));
      assert.ok(report.includes(`**Success Rate**: ${shown} (${passed}/${graded}`));
      for (const text of [overview, comment]) {
        assert.ok(text.includes(`Pass rate ${shown}`), text);
        if (passed !== summary.tasks_succeeded) assert.ok(text.includes(`(${passed} of ${graded} graded)`), text);
      }
    }),
    { numRuns: 60 },
  );
});

test("on every surface the counts are those of run.json, and add up to what was planned", () => {
  fc.assert(
    fc.property(anyRun, (summary) => {
      const counts = [summary.tasks_succeeded, summary.tasks_failed, summary.tasks_error, summary.tasks_not_graded];
      const total = counts.reduce((sum, count) => sum + count, 0);
      assert.equal(total, summary.tasks_run);
      assert.equal(summary.tasks_planned, total + summary.tasks_not_run);
      const { console, page, report, summary: overview, comment } = surfacesOf(summary);
      assert.deepEqual(numbers(console, /(\d+) tasks? run: (\d+) passed, (\d+) failed, (\d+) errors?(?:, (\d+) not graded)?/), [
        total,
        ...counts,
      ]);
      assert.deepEqual(
        numbers(
          report.replaceAll("\n", " "),
          /Total Tasks\*\*: (\d+) .*?Succeeded\*\*: (\d+) .*?Failed\*\*: (\d+).*?Errors\*\*: (\d+)(?: - \*\*Not Graded\*\*: (\d+))?/,
        ),
        [total, ...counts],
      );
      const tile = (name: string): number => numbers(page, new RegExp(`<b>(\\d+)</b><span>${name}</span>`))[0] ?? 0;
      const tiles = ["passed", "failed", "errors", "not graded", "not run"].map((name) =>
        page.includes(`<span>${name}</span>`) ? tile(name) : 0,
      );
      assert.deepEqual(tiles, [...counts, summary.tasks_not_run]);
      for (const text of [overview, comment]) {
        const line = text.split("\n").find((entry) => /tasks? (?:run|planned)/.test(entry)) ?? "";
        const part = (pattern: RegExp): number => (pattern.test(line) ? (numbers(line, pattern)[0] ?? 0) : 0);
        const parts = [/(\d+) passed/, /(\d+) failed/, /(\d+) errors?/, /(\d+) not graded/, /(\d+) not run/].map(part);
        assert.deepEqual(parts, [...counts, summary.tasks_not_run], line);
      }
    }),
    { numRuns: 60 },
  );
});

test("who passed only on a retry is passed in the counts and missed in the rate, and the numbers beside it say so", () => {
  const summary = runOf({ rows: [tried("SUCCESS", [], { task_id: "a" }), tried("SUCCESS", [earlier("FAILURE")], { task_id: "b" })] });
  const { console, page, report, summary: overview } = surfacesOf(summary);
  assert.match(console, /2 tasks run: 2 passed, 0 failed, 0 errors; pass rate 50.0% \(1\/2\)/);
  assert.match(page, /<b>50.0%<\/b><span>pass rate, 1 of 2<\/span>/);
  assert.match(report, /Success Rate\*\*: 50.0% \(1\/2\)/);
  assert.match(overview, /Pass rate 50.0% \(1 of 2 graded\)/);
});

test("a share is rounded where it is shown and nowhere before: 0.07, 0.29 and 0.57 stay what they are", () => {
  for (const [passed, shown] of [
    [7, "7"],
    [29, "29"],
    [57, "57"],
  ] as const) {
    const rows = Array.from({ length: 100 }, (_, index) => tried(index < passed ? "SUCCESS" : "FAILURE", [], { task_id: `t${index}` }));
    const summary = runOf({ rows });
    assert.equal(summary.pass_rate, passed / 100);
    assert.equal(outputsOf(summary, where, {})["pass-rate"], `0.${String(passed).padStart(2, "0")}`);
    assert.equal(percent(passed / 100), `${shown}.0%`);
    assert.equal(percentText(passed / 100), `${shown}%`);
    const end = judgeGate(summary, policy({ minPassRate: passed / 100 }));
    assert.equal(end.passes, true, shown);
    for (const text of Object.values(surfacesOf(summary))) assert.ok(!/\d\.\d{4,}/.test(text.replace(/0\.\d+ms/g, "")), text);
  }
});
