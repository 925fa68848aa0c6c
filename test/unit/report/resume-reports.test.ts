import assert from "node:assert/strict";
import test from "node:test";
import { driftWarning } from "../../../src/github/drift-annotation.ts";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { commentLadder, type OverviewFacts, summaryLadder } from "../../../src/report/overview.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import type { DriftEntry } from "../../../src/results/fingerprint/drift-schema.ts";
import { resumeCounts } from "../../../src/results/resume/resume-counts.ts";
import { type ResumeFacts, resumeFactsSchema } from "../../../src/results/resume/resume-facts.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { md } from "../../../src/untrusted/markdown.ts";
import { addressesOf, render, shownText } from "../untrusted/github-render.ts";
import { attempt, factsOf, summaryOf } from "./overview-builders.ts";
import { difference, driftFacts, resumedFacts } from "./overview-resumed.ts";

const resume = (overrides: Partial<ResumeFacts> = {}): ResumeFacts => ({
  ...resumeFactsSchema.parse({ attempt: 2, source: {}, reasons: {}, rows_kept: 1 }),
  ...overrides,
});
const kept = { ...attempt("kept"), kept: true };
const waiting = { task_id: "w", variant_id: "default", replicate_index: 0, reason: "cancelled" };

const comment = (facts: OverviewFacts): string => [...commentLadder(facts)][0] ?? "";
const textOf = (html: string): string => shownText(html.replace(/<(head|style)>[\s\S]*?<\/\1>/g, ""));
const terminal = (facts: OverviewFacts, columns = 200): string =>
  renderConsoleSummary(facts.summary, { runDir: "r", columns, colour: false });

/** Every report of a run as a reader sees it. */
function surfaces(facts: OverviewFacts): Record<string, string> {
  const [summary = md``] = summaryLadder(facts, md``);
  return {
    comment: shownText(render(comment(facts))),
    summary: shownText(render(summary)),
    "run.md": shownText(render(renderRunMarkdown(facts.summary))),
    "run.html": textOf(renderRunHtml(facts.summary)),
    terminal: terminal(facts),
  };
}

test("every report tells what was kept, what ran and why, what passed too late, and what was set aside", () => {
  for (const [name, page] of Object.entries(surfaces(resumedFacts()))) {
    assert.match(page, /6 results kept, 5 tasks run \(1 without a result, 2 interrupted, 2 errors\)/, name);
    assert.match(page, /attempt 3/, name);
    assert.match(page, /evalbatch-evals-3/, name);
    assert.match(page, /1 task passed only on a later attempt; the pass rate counts the first graded attempt of a task/, name);
    assert.match(page, /72\.7%/, name);
    assert.match(page, /4; before: INTERRUPTED, 2 × ERROR \(the container did not start/, name);
    for (const words of ["default/parse-dates/00/task.json", "default/old-task/00/task.json", "not part of the plan"])
      assert.ok(page.includes(words), `${name}: ${words}`);
  }
});

test("every report tells what differs, before and now, by whom, and what was done about it", () => {
  for (const [name, page] of Object.entries(surfaces(driftFacts()))) {
    const found = page.replace(/\s+/g, " ").replaceAll("\u200b", "");
    assert.match(found, /run_limits\.max_turns.{0,90}20.{0,30}30.{0,30}cli \(--set\)/, name);
    assert.match(found, /file templates\/service\/src\/routes\/endpoint-handler\.ts.{0,40}\(none\).{0,30}5b7c0d9e2f41/, name);
    assert.match(found, /cli_version.{0,70}1\.9\.3 \| 1\.10\.0.{0,20}1\.10\.2/, name);
    assert.match(found, /Results made under other settings were kept \(on-drift: warn\)/, name);
    assert.match(found, /Also different, without effect on results: max_parallel 2 → 4, verbose false → true/, name);
    assert.ok(found.indexOf("run_limits.max_turns") < found.indexOf("image node:24-slim"), name);
  }
});

test("a run of which nothing was continued says nothing of it, as one that an older version wrote", () => {
  const facts = factsOf(summaryOf([attempt("a")]));
  const older = runSummarySchema.parse({ ...facts.summary, resume: undefined, drift: undefined, set_aside: undefined });
  assert.deepEqual(surfaces({ ...facts, summary: older }), surfaces(facts));
  for (const [name, page] of Object.entries(surfaces(facts))) {
    assert.doesNotMatch(page, /attempt|continued|different|differences|set aside|kept/i, name);
  }
});

test("the rows of a continued run add up: kept, run and not run", () => {
  const cases = [
    summaryOf([kept, attempt("b")], { resume: resume({ rows_to_run: 1 }) }),
    summaryOf([kept, attempt("b")], { resume: resume({ rows_to_run: 3 }), notRun: [waiting, { ...waiting, task_id: "v" }] }),
    // Rebuilt from the disk: nobody knows of single rows.
    summaryOf([attempt("a"), attempt("b")], { resume: resume({ rows_to_run: 1 }) }),
    summaryOf([attempt("a")], { resume: resume({ rows_kept: 9, rows_to_run: 0 }) }),
    // A row that was to be retried and kept its old result, since it was not started again.
    summaryOf([kept, { ...attempt("b", { final_status: "ERROR" }), kept: true }], { resume: resume({ rows_to_run: 1 }) }),
  ];
  assert.deepEqual(
    cases.map((summary) => {
      const counts = resumeCounts(summary);
      assert.equal((counts?.kept ?? 0) + (counts?.ran ?? 0) + (counts?.notRun ?? 0), summary.tasks_planned);
      return [counts?.kept, counts?.ran, counts?.notRun, counts?.toRun];
    }),
    [
      [1, 1, 0, 1],
      [1, 1, 2, 3],
      [1, 1, 0, 1],
      [1, 0, 0, 0],
      [2, 0, 0, 1],
    ],
  );
  assert.equal(resumeCounts(summaryOf([kept])), undefined);
});

test("what a run that was cut short again did not come to is told", () => {
  const facts = factsOf(summaryOf([kept, attempt("b")], { resume: resume({ rows_to_run: 2, reasons: { error: 2 } }), notRun: [waiting] }));
  assert.match(comment(facts), /1 result kept, 1 of 2 tasks run \(2 errors\)/);
});

test("the earlier attempt and its artifact are links where they are pages of the same repository", () => {
  const addresses = addressesOf(render(comment(resumedFacts())));
  assert.ok(addresses.includes("https://github.com/acme/agent/actions/runs/19283746/attempts/3"));
  assert.ok(addresses.includes("https://github.com/acme/agent/actions/runs/19283746/artifacts/5544332200"));
  const source = { kind: "artifact" as const, artifact: "a", url: null, workflow_run_id: "77", workflow_run_attempt: 2 };
  const other = factsOf(summaryOf([kept], { resume: resume({ source }) }));
  assert.match(shownText(render(comment(other))), /Continued from attempt 2 of workflow run 77 \(artifact a\)/);
  const here = factsOf(summaryOf([kept], { resume: resume() }));
  assert.match(comment(here), /from attempt 1 in the same directory: /);
});

test("what was done about changes is told by the policy", () => {
  const drift = [difference({ field: "agent.model", before: "1", now: "2" })];
  const told = (overrides: Partial<ResumeFacts>, entries: readonly DriftEntry[] = drift) =>
    shownText(render(comment(factsOf(summaryOf([kept], { drift: entries, resume: resume(overrides) })))));
  assert.match(told({ on_drift: "rerun", reasons: { drift: 12 } }), /12 tasks were run again for it \(on-drift: rerun\)/);
  assert.match(told({ on_drift: "rerun" }), /No task had to run again for it \(on-drift: rerun\)/);
  assert.doesNotMatch(told({}, [difference({ kind: "versions", field: "npm", before: "1", now: "2" })]), /on-drift/);
});

test("a table of many differences is bounded at each level, and tells how many there are", () => {
  const drift = Array.from({ length: 150 }, (_, index) =>
    difference({
      field: `file ${"long/".repeat(40)}${index}.txt`,
      before: "x".repeat(200),
      now: `${"x".repeat(199)}y`,
      set_by: "task".repeat(40),
    }),
  );
  const facts = factsOf(summaryOf([kept], { drift, resume: resume() }));
  const rungs = [...commentLadder(facts)];
  for (const page of rungs) assert.match(page, /150 differences\**? between results/);
  assert.deepEqual(
    rungs.map((page) => page.match(/^\| <code>/gm)?.length ?? 0),
    [12, 8, 5, 0, 0],
  );
  assert.ok((rungs[0]?.length ?? 0) < 12_000, `${rungs[0]?.length}`);
  assert.ok(Buffer.byteLength(rungs.at(-1) ?? "") < 1000);
  const cells = Array.from(rungs[0]?.matchAll(/^\| .*$/gm) ?? [], ([line]) => line.split(" | "));
  for (const [, before, now] of cells.slice(2)) assert.notEqual(before, now);
  assert.match(comment(facts), /… and 138 more differences, see run\.md/);
});

test("one warning names the first differences, what was done, and where the rest is", () => {
  const text = driftWarning(driftFacts().summary) ?? "";
  assert.deepEqual(text.split("\n").slice(1), [
    "- run_limits.max_turns: 20 → 30, set by cli (--set); 6 tasks: add-endpoint, bump-dependency, convert-csv, …",
    '- agent.model: "claude-sonnet-4-20250514" → "claude-opus-4-1-20250805", set by experiment-defaults; 2 tasks: find-leak, convert-csv',
    "- initial_prompt: 3f2a91c04b12 → 8d0e77a15c3f; 1 task: add-endpoint",
    "- and 3 more differences",
    "Results made under other settings were kept (on-drift: warn).",
    "The job summary and run.md have the whole table.",
  ]);
  assert.equal(driftWarning(resumedFacts().summary), undefined);
});

test("on a narrow terminal a difference is a line", () => {
  const lines = terminal(driftFacts(), 60).split("\n");
  assert.ok(lines.includes("  - run_limits.max_turns: 20 → 30, set by cli (--set); 6 ta…"));
  for (const line of lines) assert.ok(line.length <= 90, line);
});

test("a later attempt is compared with the one before it, in its own words", () => {
  const facts = resumedFacts();
  const text = shownText(render(comment(facts)));
  assert.match(
    text,
    /Compared with the previous attempt: 1 passing now, 2 still failing, 1 passed only on a retry, 2 finished that had not before; pass rate/,
  );
  assert.match(text, /Passing now: migrate-tests\n/);
  assert.doesNotMatch(text, /fixed|time \d/i);
  const { changes } = facts;
  assert.ok(changes !== undefined);
  const first = { ...facts, changes: { ...changes, previous: { ...changes.previous, attempt: 1 } } };
  assert.match(shownText(render(comment(first))), /Compared with attempt 1 of this run: /);
});

test("the price is told with the part of it that this attempt spent, the time as this attempt's", () => {
  assert.match(
    shownText(render(comment(resumedFacts()))),
    /Cost \$1\.07 \(\$0\.45 of it in this attempt\) · took 3 min 05 s in this attempt/,
  );
});

test("results that were kept are marked in run.md and run.html", () => {
  const { summary } = resumedFacts();
  assert.match(renderRunMarkdown(summary), /^\| add-endpoint \| SUCCESS \| 1\.000 \| 14\.0s \| 1, kept \|$/m);
  assert.match(renderRunMarkdown(summary), /^\| parse-dates \| SUCCESS \| 1\.000 \| 59\.5s \| 1 \|$/m);
  const page = renderRunHtml(summary);
  assert.match(page, /add-endpoint <small class="mark">kept<\/small>/);
  assert.match(page, /name-things <small class="mark">attempt 2<\/small>/);
  assert.match(page, /parse-dates<\/span>/);
});

test("an arrow between texts of the other direction keeps its own", () => {
  const drift = [difference({ field: "title", before: '"שלום"', now: '"مرحبا"', benign: true })];
  assert.match(comment(factsOf(summaryOf([kept], { drift, resume: resume() }))), /<\/code> &lrm;→&lrm; <code>/);
});

test("results that are no part of the plan are not said to have been set aside", () => {
  const unplanned = { path: "default/other/00/task.json", reason: "not part of the plan", moved_to: null };
  const moved = { path: "default/bad/00/task.json", reason: "not valid JSON", moved_to: "default/bad/00/task.json.unreadable" };
  const pages = (setAside: readonly (typeof unplanned | typeof moved)[]) => {
    const summary = { ...summaryOf([attempt("a")]), set_aside: [...setAside] };
    return [
      renderConsoleSummary(summary, { runDir: "/runs/x", columns: 100, colour: false }),
      renderRunMarkdown(summary),
      renderRunHtml(summary),
    ];
  };
  for (const page of pages([unplanned])) {
    assert.match(page, /Results not part of this plan/i);
    assert.doesNotMatch(page, /set aside/i);
  }
  for (const page of pages([unplanned, moved])) assert.match(page, /not part of this plan.+other.+set aside.+bad/is);
  for (const page of pages([moved])) assert.doesNotMatch(page, /not part of this plan/i);
});
