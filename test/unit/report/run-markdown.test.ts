import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { buildRunSummary } from "../../../src/results/run-summary.ts";
import { type RunSummary, runSummarySchema } from "../../../src/results/run-summary-schema.ts";
import { fixtureRuns } from "../results/fixtures.ts";

/** Lines that one text has and the other lacks. */
async function differences(run: string): Promise<{ theirs: string[]; ours: string[]; order: boolean }> {
  const dir = join(fixtureRuns, run);
  const { totals } = await rebuildSummary(dir, { version: "0.1.0" });
  const summary = runSummarySchema.parse(JSON.parse(readFileSync(join(dir, "run.json"), "utf8")));
  const theirLines = readFileSync(join(dir, "run.md"), "utf8").split("\n");
  const ourLines = renderRunMarkdown(summary, totals).split("\n");
  const theirs = theirLines.filter((line) => !ourLines.includes(line));
  const ours = ourLines.filter((line) => !theirLines.includes(line));
  const common = (lines: string[]) => lines.filter((line) => line.startsWith("#") && theirLines.includes(line)).join("\n");
  return { theirs, ours, order: common(theirLines) === common(ourLines) };
}

test("run.md of an all-pass run is coder_eval's but for the rate's counts, the honest note and escapes", async () => {
  const { theirs, ours, order } = await differences("all-pass");
  assert.ok(order);
  assert.deepEqual(theirs, [
    "- **Success Rate**: 100.0%",
    "> **WARNING:** [scripted-greeting] expected_turns exceeded: 4/2 (cumulative SDK turns)",
    `| Bash | 40ms | {'command': "echo 'hello team' > hello.txt && cat ... |`,
  ]);
  assert.deepEqual(ours, [
    "- **Success Rate**: 100.0% (3/3)",
    "> **WARNING:** [scripted-greeting] expected_turns exceeded: 4/2 (visible turns)",
    "| Bash | 40ms | {'command': &quot;echo 'hello team' &gt; hello.txt &amp;&amp; cat ... |",
  ]);
});

test("run.md of a mixed run is coder_eval's but for the rate, untimed rows, escapes and our sections", async () => {
  const { theirs, ours, order } = await differences("mixed");
  assert.ok(order);
  assert.deepEqual(theirs, [
    "- **Success Rate**: 53.8%",
    "| docker-no-image | ERROR | N/A | 0.0s | N/A | area:docker |",
    "| docker-build-fails | BUILD_FAILED | N/A | 0.0s | N/A | area:docker |",
    "| docker-no-image | 0.0s | 0 | 0 | N/A |",
    "| docker-build-fails | 0.0s | 0 | 0 | N/A |",
    "| Bash | 12ms | {'command': 'echo x >> tries.txt'} |",
    "| Bash | 12ms | {'command': 'echo x >> tries.txt'} |",
    "| Bash | 12ms | {'command': 'touch early.txt'} |",
  ]);
  assert.ok(ours.includes("- **Success Rate**: 31.8% (7/22, 9 errors counted as misses)"));
  assert.ok(ours.includes("| docker-no-image | ERROR | N/A | N/A | N/A | area:docker |"));
  const headings = ours.filter((line) => line.startsWith("#"));
  assert.deepEqual(headings, ["## Failures", "## Skipped Files"]);
});

const row = (overrides: Record<string, unknown>) =>
  runRowSchema.parse({ task_id: "t", status: "SUCCESS", variant_id: "default", ...overrides });

function summaryOf(overrides: Partial<Parameters<typeof buildRunSummary>[0]>): RunSummary {
  const time = new Date("2026-07-07T10:00:00Z");
  return buildRunSummary({
    runId: "r",
    startTime: time,
    endTime: time,
    rows: [],
    skippedTasks: [],
    notRun: [],
    maxParallel: 1,
    frameworkVersion: "x",
    environmentInfo: {},
    interrupted: false,
    ...overrides,
  });
}

test("a failure shows its criterion, the reason and the end of the log", () => {
  const failure = {
    reason: "greeting: not found",
    criteria: [{ index: 1, type: "file_contains", description: "greeting", score: 0.25, pass_threshold: 0.9, message: "not found" }],
    criteria_missed: 3,
    log_tail: "one\n```\ntwo",
  };
  const text = renderRunMarkdown(summaryOf({ rows: [row({ status: "FAILURE", weighted_score: 0.25, failure })] }));
  assert.match(text, /\*\*Verdict\*\*: failed \(1 task failed\)/);
  assert.match(text, /\| `t` \| FAILURE \| 0\.250 \| greeting: not found \|/);
  assert.match(text, /- \*\*greeting\*\* \(criterion 2, `file_contains`\): score 0\.250, needs 0\.900: not found/);
  assert.match(text, /… and 2 more criteria/);
  assert.match(text, /````\none\n```\ntwo\n````/);
});

test("rows not run, unreadable results and warnings have their sections, and the counts add up", () => {
  const text = renderRunMarkdown(
    summaryOf({
      rows: [row({})],
      notRun: [{ task_id: "n", variant_id: "v", replicate_index: 2, reason: "cancelled" }],
      unreadable: [{ path: "default/x/00/task.json", reason: "the file is empty" }],
      warnings: ["look out"],
    }),
  );
  assert.match(text, /- \*\*Total Tasks\*\*: 1\n/);
  assert.match(text, /- \*\*Not Run\*\*: 1 of 2 planned/);
  assert.match(text, /\| `n \(v, 02\)` \| cancelled \|/);
  assert.match(text, /\| `default\/x\/00\/task.json` \| the file is empty \|/);
  assert.match(text, /## Warnings\n\n- look out/);
});

test("nothing graded has no rate instead of 0 %", () => {
  assert.match(renderRunMarkdown(summaryOf({ rows: [row({ status: "NOT_GRADED" })] })), /\*\*Success Rate\*\*: N\/A/);
});

test("variants and replicates are told apart where a run has them, and only there", () => {
  assert.doesNotMatch(renderRunMarkdown(summaryOf({ rows: [row({}), row({ task_id: "u" })] })), /Variant|Replicate/);
  const rows = [row({ variant_id: "a", replicate_index: 0 }), row({ variant_id: "b", replicate_index: 1 })];
  assert.match(renderRunMarkdown(summaryOf({ rows })), /\| Task ID \| Variant \| Replicate \| Status /);
});

const hostile = "x |\n# Forged\n<script>alert(1)</script> @team #1 [a](http://b) `c` <!-- marker -->";

test("names and reasons of strangers cannot break a row, forge a heading or become live", () => {
  const failure = {
    reason: hostile,
    criteria: [{ type: hostile, description: hostile, message: hostile, score: 0, pass_threshold: 1, index: 0 }],
    log_tail: hostile,
  };
  const text = renderRunMarkdown(
    summaryOf({
      runId: hostile,
      rows: [
        row({
          task_id: hostile,
          status: "ERROR",
          failure,
          tags: [hostile],
          model_used: hostile,
          variant_id: hostile,
          installed_tools: { [hostile]: hostile },
        }),
      ],
      skippedTasks: [{ path: hostile, reason: hostile }],
      notRun: [{ task_id: hostile, variant_id: hostile, replicate_index: 0, reason: hostile }],
      unreadable: [{ path: hostile, reason: hostile }],
      warnings: [hostile],
      environmentInfo: { [hostile]: { [hostile]: hostile } },
    }),
  );
  const outsideFences = text.replace(/\n(`{3,})\n[\s\S]*?\n\1\n/g, "\n");
  assert.doesNotMatch(outsideFences, /^# Forged|<script|@team|#1\b|<!--|\]\(http/m);
  const tables = outsideFences.split("\n\n").filter((block) => block.startsWith("|"));
  assert.ok(tables.length >= 5);
  for (const block of tables) {
    const columns = block.split("\n").map((line) => line.split("|").length);
    assert.equal(new Set(columns).size, 1, block);
  }
});

test("a run of a hundred thousand rows can be rendered", () => {
  const one = row({ total_tokens: 5, iterations: [{ iteration: 1 }] });
  const text = renderRunMarkdown(summaryOf({ rows: Array.from({ length: 100_000 }, () => one) }));
  assert.ok(text.split("\n").length > 300_000);
});
