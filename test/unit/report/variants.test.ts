import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { renderConsoleSummary } from "../../../src/report/console-summary.ts";
import { experimentFiles } from "../../../src/report/experiment-files.ts";
import { commentLadder } from "../../../src/report/overview.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { comparisonText, shapeText, signed } from "../../../src/report/variant-text.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { fixtureRuns } from "../results/fixtures.ts";
import { filteredText, liveReference, render, tagsOf } from "../untrusted/github-render.ts";
import { experimentRun } from "./experiment-runs.ts";
import { attempt, factsOf, summaryOf } from "./overview-builders.ts";

const golden = join(import.meta.dirname, "../../fixtures/report/experiment");
const update = process.env.UPDATE_GOLDEN === "1";
const two = { tasks: 8, variants: ["baseline", "candidate"], replicates: 3 };

/** The run of coder_eval with two variants and two replicates, as if ours had run it. */
function abRun(): RunSummary {
  const read = runSummarySchema.parse(JSON.parse(readFileSync(join(fixtureRuns, "experiments/ab/run.json"), "utf8")));
  const variants = [
    { id: "baseline", description: "as it is", prompt: "base prompt" },
    { id: "candidate", description: "", prompt: "2 mutations: prefix, replace" },
  ];
  const experiment = {
    id: "ab-compare",
    description: "Baseline against candidate, two repeats each",
    file: "experiments/ab.yaml",
    variants,
  };
  return { ...read, experiment };
}

for (const [name, page] of [
  ["experiment.md", () => experimentFiles(abRun())?.markdown],
  ["variant.md", () => experimentFiles(abRun())?.variants[1]?.markdown],
] as const) {
  test(`${name} is as it was reviewed`, () => {
    const text = page() ?? "";
    if (update) writeFileSync(join(golden, name), text);
    assert.equal(text, readFileSync(join(golden, name), "utf8"));
  });
}

test("a run of one attempt per task says nothing of variants, and has no files of them", () => {
  const plain = summaryOf([attempt("t")]);
  assert.doesNotMatch(renderRunMarkdown(plain), /Variants|Replicates/);
  assert.doesNotMatch(renderRunHtml(plain), /class="variants"/);
  assert.doesNotMatch(renderConsoleSummary(plain, { runDir: "r", columns: 100, colour: false }), /Variants|Replicates/);
  assert.equal(experimentFiles(plain), undefined);
});

test("one variant of an experiment has its files, and no table of one", () => {
  const one = experimentRun({ tasks: 2, variants: ["loud"], replicates: 1 });
  assert.equal(experimentFiles(one)?.variants.length, 1);
  assert.doesNotMatch(renderRunMarkdown(one), /## Variants|## Replicates/);
});

test("every report has the same numbers of a variant", () => {
  const run = experimentRun(two);
  const pages = [
    renderRunMarkdown(run),
    renderRunHtml(run),
    renderConsoleSummary(run, { runDir: "r", columns: 200, colour: false }),
    [...commentLadder(factsOf(run))][0] ?? "",
    experimentFiles(run)?.markdown ?? "",
  ];
  for (const page of pages) {
    assert.match(page, /13\/24/);
    assert.match(page, /54\.2% \(25\.7–80\.2%\)/);
    assert.match(
      page,
      /mean score \+0\.229 over 8 tasks \(95 % interval [^)]*\): (?:no clear difference|\d tasks differ, too few to tell)/,
    );
  }
});

test("the terminal shows a line per variant, how they compare, and what is flaky", () => {
  const text = renderConsoleSummary(experimentRun(two), { runDir: "r", columns: 120, colour: false });
  const lines = text.slice(text.indexOf("Variants")).split("\n").slice(0, 6);
  assert.deepEqual(lines.slice(0, 3), [
    "Variants (8 tasks × 2 variants × 3 replicates)",
    "  - baseline: 13/24 passed, 54.2% (25.7–80.2%), score 0.708, 3 errors, $0.96, 36 s each",
    "  - candidate: 21/24 passed, 87.5% (69.0–95.7%), score 0.938, 0 errors, $1.20, 37 s each",
  ]);
  assert.equal(lines[3], "  - candidate against baseline:");
  assert.match(lines[5] ?? "", /^ {2}- 4 flaky tasks: add-endpoint, bump-dependency, convert-csv, explain-error$/);
});

test("failures of replicates are told together", () => {
  const run = experimentRun(two);
  const console = renderConsoleSummary(run, { runDir: "r", columns: 120, colour: false });
  assert.match(console, /FAILURE {2}convert-csv \(baseline\) {2}failed 3 of 3 {2}score 0\.500\n/);
  assert.match(renderRunMarkdown(run), /\| `convert-csv \(baseline\)` \| 3 of 3 \| FAILURE \| 0\.500 \|/);
  const [comment = ""] = commentLadder(factsOf(run));
  assert.match(comment, /`convert-csv \(baseline\)` failed 3 of 3, FAILURE, score 0\.500/);
  assert.match(comment, /passed tasks, the replicates of a task together/);
});

test("how to run a failure again names its variant", () => {
  const run = experimentRun(two);
  const rerunFlags = ["-e experiments/prompt-styles.yaml", "--variant candidate,baseline", "--driver docker"];
  const [comment = ""] = commentLadder(factsOf(run, { rerunFlags }));
  assert.match(comment, /`evalbatch run evals\/convert-csv\.yaml -e experiments\/prompt-styles\.yaml --driver docker --variant baseline`/);
  assert.doesNotMatch(comment, /candidate,baseline/);
  const [hostile = ""] = commentLadder(factsOf(experimentRun({ ...two, variants: ["a; rm -rf /", "b c"] }), { rerunFlags }));
  assert.doesNotMatch(hostile, /Run it again/);
});

test("lists of tasks are bounded, and say how many are left out", () => {
  const run = experimentRun({ tasks: 1200, variants: ["a", "b"], replicates: 1 });
  assert.match(renderRunMarkdown(run), /### Tasks in which variants differ[\s\S]*\n… and \d+ more tasks\n/);
  assert.match(renderRunHtml(run), /… and \d+ more tasks: see experiment\.json/);
});

test("with many variants a table of tasks shows the best and the worst of them", () => {
  const run = experimentRun({ tasks: 8, variants: "abcdefgh".split(""), replicates: 1 });
  assert.match(renderRunMarkdown(run), /\| Task \| Best \| Worst \|\n\|[-|]+\|\n\| `write-readme` \| ✅ 1\.000 `b` \| 💥 0\.000 `a` \|/);
});

test("no id and no description of a variant is more than text", () => {
  const attacks = [
    "</details><h1>PASSED</h1>",
    "| a |\n| --- |",
    "@octocat #1 https://evil.example",
    "```\n# out",
    "$\\color{green}{PASSED}$",
    "\u202egpj.exe",
  ];
  const run = experimentRun({ tasks: 3, variants: attacks, replicates: 2, description: attacks.join(" ") });
  const files = experimentFiles(run);
  const pages = [
    [...commentLadder(factsOf(run))][0] ?? "",
    renderRunMarkdown(run),
    files?.markdown ?? "",
    ...(files?.variants.map((of) => of.markdown) ?? []),
  ];
  for (const page of pages) {
    const html = render(page);
    assert.equal(tagsOf(html).includes("img"), false);
    assert.doesNotMatch(html, /<h1>PASSED|evil\.example"/);
    assert.doesNotMatch(filteredText(html).replace(/10:00:00 UTC/, ""), liveReference);
    assert.equal(html.match(/<details>/g)?.length, html.match(/<\/details>/g)?.length);
    assert.doesNotMatch(page, /\u202e/);
  }
  assert.doesNotMatch(renderRunHtml(run), /<h1>PASSED|<\/details><h1>/);
});

test("differences have a sign, and none where nothing is left of them", () => {
  assert.deepEqual(
    [signed(0.1666), signed(-0.25), signed(0), signed(-0.0001), signed(0.07)],
    ["+0.167", "−0.250", "0.000", "0.000", "+0.070"],
  );
});

test("a comparison is told with its number of pairs, and claims nothing for few tasks", () => {
  const comparison = { baseline: "a", variant: "b", pairs: 3, pairs_different: 3, mean_difference: 1, low: 1, high: 1 };
  assert.equal(
    comparisonText({ ...comparison, reading: "too few tasks differ" }),
    "mean score +1.000 over 3 tasks (95 % interval +1.000 to +1.000): 3 tasks differ, too few to tell",
  );
  assert.equal(
    comparisonText({ ...comparison, pairs: 1, pairs_different: 1, low: null, high: null, reading: "too few tasks differ" }),
    "mean score +1.000 over 1 task: 1 task differs, too few to tell",
  );
  assert.equal(comparisonText({ ...comparison, pairs: 0, mean_difference: null, reading: null }), "no task has a score in both");
});

test("the shape of a run is a product only where it is one", () => {
  assert.equal(shapeText({ tasks: 1, variants: 2, replicates: 3, even: true }), "1 task × 2 variants × 3 replicates");
  assert.equal(shapeText({ tasks: 4, variants: 1, replicates: 2, even: false }), "4 tasks, up to 2 replicates");
});
