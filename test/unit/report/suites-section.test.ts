import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { suiteLines, suitesHtml, suitesSection, suiteTexts } from "../../../src/report/suites-section.ts";
import type { SuiteSummary } from "../../../src/results/suites/suite-summary.ts";
import { headingsOf, render, tagsOf } from "../untrusted/github-render.ts";
import { summaryOf } from "./overview-builders.ts";
import { hostileSuite, missed, sampleSuites, suite, suiteRows } from "./suite-cases.ts";

const linesOf = (suites: readonly SuiteSummary[], names = 10) => suiteLines({ suites: [...suites] }, { names }).join("\n");

test("a run without suites says nothing of them", () => {
  const summary = summaryOf(suiteRows);
  assert.equal(suitesSection(summary), undefined);
  assert.deepEqual([suiteLines(summary, { names: 10 }), suiteTexts(summary)], [[], []]);
  assert.doesNotMatch(renderRunMarkdown(summary), /Suite/);
  assert.doesNotMatch(renderRunHtml(summary), /<h2>Suites/);
  assert.doesNotMatch(renderConsoleSummary(summary, { runDir: "r", columns: 100, colour: false }), /Suite/);
});

test("run.md has a table of all suites between summary and failures, those below their thresholds first", () => {
  const page = renderRunMarkdown(summaryOf(suiteRows, { suites: sampleSuites }));
  const table = page.split("\n").filter((line) => /^\| (?:Suite|`(?:sentiment|skills|language|smoke)`) /.test(line));
  assert.deepEqual(table, [
    "| Suite | Rows | Pass Rate | Avg Score | Gate |",
    "| `sentiment` | 4 | 100.0% (4/4) | 0.750 | ❌ failed: accuracy 0.75, at least 0.9 asked (classification_match) and 1 more |",
    "| `skills` | 8 | 100.0% (4/4), 4 not run | N/A | ⚠️ not reached yet: recall.yes 0.5, at least 0.95 asked (skill_triggered, criterion 2) |",
    "| `language` | 4 | 100.0% (4/4) | N/A | ✅ passed |",
    "| `smoke` | 4 | 100.0% (4/4) | N/A | – |",
  ]);
  assert.ok(page.indexOf("## Summary") < page.indexOf("## Suites") && page.indexOf("## Suites") < page.indexOf("## Task Details"));
});

test("a terminal has a line for each suite", () => {
  const text = renderConsoleSummary(summaryOf(suiteRows, { suites: sampleSuites }), { runDir: "r", columns: 200, colour: false });
  const from = text.indexOf("Suites (4)");
  assert.deepEqual(text.slice(from).split("\n").slice(0, 5), [
    "Suites (4)",
    "  - sentiment: failed: accuracy 0.75, at least 0.9 asked (classification_match) and 1 more; pass rate 100.0% (4/4)",
    "  - skills: not reached yet: recall.yes 0.5, at least 0.95 asked (skill_triggered, criterion 2); pass rate 100.0% (4/4), 4 not run",
    "  - language: passed, pass rate 100.0% (4/4)",
    "  - smoke: pass rate 100.0% (4/4)",
  ]);
});

test("a short rendering shows only what did not pass, and nothing where all passed", () => {
  const short = linesOf(sampleSuites, 3);
  assert.match(short, /`sentiment`/);
  assert.doesNotMatch(short, /`language`/);
  assert.match(short, /… and 2 more suites, see run\.json/);
  assert.equal(
    linesOf(
      sampleSuites.filter(({ passed }) => passed),
      3,
    ),
    "",
  );
});

test("of many suites each report shows as many as it has room for, and counts the rest", () => {
  const many = Array.from({ length: 1000 }, (_, index) => suite(`s${index}`, { checks: 1 }));
  assert.match(linesOf([...many, ...sampleSuites]), /### 1,004 suites\n\n[\s\S]*`sentiment`[\s\S]*… and 994 more suites, see run\.json/);
  assert.match(suitesHtml({ suites: many }).markup, /… and 700 more suites: see run\.json/);
  const text = renderConsoleSummary(summaryOf(suiteRows, { suites: many }), { runDir: "r", columns: 100, colour: false });
  assert.match(text, /Suites \(1000\)[\s\S]*… and 990 more/);
});

test("suites of several variants are told apart", () => {
  const both = [suite("s"), suite("s", { variant_id: "candidate" })];
  assert.match(linesOf(both), /s \(default\)[\s\S]*s \(candidate\)/);
});

const attacks = [
  "| a | b |\n|---|---|\n| x | y |",
  "</td></tr></table><script>alert(1)</script>",
  "# PASSED\n\n@octocat",
  "<!-- evalbatch:comment -->",
  "\u202eevil\u202c `` ` ",
];

test("whatever suites, metrics and criteria are called, a table keeps its rows and holds no markup of theirs", () => {
  const piece = fc.oneof(fc.constantFrom(...attacks), fc.string());
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 6 }), (names) => {
      const html = render(linesOf(names.map(hostileSuite)));
      assert.equal(html.match(/<tr>/g)?.length, names.length + 1);
      assert.equal(headingsOf(html).length, 1);
      for (const tag of tagsOf(html)) assert.ok(["h3", "table", "thead", "tbody", "tr", "th", "td", "code", "span"].includes(tag), tag);
      assert.doesNotMatch(html, /<!--|<script/);
    }),
  );
});

test("run.html escapes them too", () => {
  const { markup } = suitesHtml({ suites: attacks.map(hostileSuite) });
  assert.doesNotMatch(markup, /<script|<!--|\u202e/);
  assert.equal(markup.match(/<tr class=/g)?.length, attacks.length);
});

test("a threshold is never shown as reached by rounding", () => {
  const near = suite("s", { checks: 1, checks_failed: 1, passed: false, failed_checks: [missed("accuracy", 0.9, 0.8999)] });
  assert.match(linesOf([near]), /accuracy 0\.8999, at least 0\.9 asked/);
});
