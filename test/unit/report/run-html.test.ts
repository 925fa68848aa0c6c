import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { html } from "../../../src/report/html.ts";
import { renderRunHtml } from "../../../src/report/run-html.ts";
import { rebuildSummary } from "../../../src/results/rebuild.ts";
import { runRowSchema } from "../../../src/results/run-row.ts";
import { fixtureRuns } from "../results/fixtures.ts";

async function pageOf(run: string): Promise<string> {
  const { summary, totals } = await rebuildSummary(join(fixtureRuns, run), { version: "0.1.0" });
  return renderRunHtml(summary, totals);
}

test("the page shows verdict, counts, rate, each row and the criteria that explain it", async () => {
  const page = await pageOf("mixed");
  assert.match(
    page,
    /<section class="verdict failed"><strong>failed<\/strong><ul><li>6 tasks failed<\/li><li>9 tasks ended in an error<\/li>/,
  );
  assert.match(page, /<b>31\.8%<\/b><span>pass rate, 7 of 22<\/span>/);
  assert.equal(page.match(/<details class="row /g)?.length, 22);
  assert.match(page, /Includes: 1\/2 found; Score: 0\.50/);
  assert.match(page, /tasks\/broken-yaml\.yaml/);
});

test("rows that did not succeed come first", async () => {
  const kinds = [...(await pageOf("mixed")).matchAll(/<details class="row (\w+)"/g)].map((match) => match[1]);
  assert.equal(kinds.lastIndexOf("bad") < kinds.indexOf("ok") && kinds.lastIndexOf("err") < kinds.indexOf("ok"), true);
});

test("the page loads nothing, runs nothing and says so to the browser", async () => {
  const page = await pageOf("all-pass");
  assert.match(page, /http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/);
  assert.doesNotMatch(page, /<script|<img|<link|<iframe|\shref=|\ssrc=|url\(|@import|\son\w+=/i);
  assert.match(page, /all 3 tasks passed/);
});

test("every tag that is opened is closed", async () => {
  for (const run of ["mixed", "all-pass", "damaged"]) {
    const page = await pageOf(run);
    for (const tag of ["details", "summary", "section", "div", "ul", "li", "dl", "pre", "p", "span"]) {
      const count = (pattern: string) => page.match(new RegExp(pattern, "g"))?.length ?? 0;
      assert.equal(count(`<${tag}[ >]`), count(`</${tag}>`), `${run}: ${tag}`);
    }
  }
});

test("no text of a stranger becomes markup", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(html`${text}`.markup, /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
    }),
  );
});

test("hostile names, reasons and settings are shown as text", async () => {
  const evil = `"><script>alert(1)</script>\u202e`;
  const { summary } = await rebuildSummary(join(fixtureRuns, "all-pass"), { version: "0.1.0" });
  const row = runRowSchema.parse({
    task_id: evil,
    status: "ERROR",
    variant_id: evil,
    error_message: evil,
    model_used: evil,
    tags: [evil],
    failure: { reason: evil, log_tail: evil, criteria: [{ description: evil, type: evil, message: evil }] },
  });
  const list = [{ path: evil, reason: evil }];
  const page = renderRunHtml({
    ...summary,
    run_id: evil,
    task_results: [row],
    skipped_tasks: list,
    unreadable: list,
    warnings: [evil],
    verdict_reasons: [evil],
    environment_info: { [evil]: evil },
  });
  assert.doesNotMatch(page, /<script|\u202e/);
  assert.ok(page.includes("&lt;script&gt;alert(1)&lt;/script&gt;"));
});

test("a page of any run stays a page that a browser opens", async () => {
  const { summary } = await rebuildSummary(join(fixtureRuns, "all-pass"), { version: "0.1.0" });
  const row = runRowSchema.parse({
    task_id: "t",
    status: "ERROR",
    error_message: "e".repeat(400),
    failure: { reason: "r".repeat(400), log_tail: "l".repeat(1500) },
  });
  const page = renderRunHtml({ ...summary, task_results: Array.from({ length: 20_000 }, () => row) });
  assert.ok(page.length < 15_000_000);
  assert.match(page, /… and 18,000 more tasks: see run\.md/);
});
