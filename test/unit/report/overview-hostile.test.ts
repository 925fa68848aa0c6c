import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { commentLadder, summaryLadder } from "../../../src/report/overview.ts";
import { md } from "../../../src/untrusted/markdown.ts";
import { addressesOf, filteredText, headingsOf, liveReference, render, tagsOf } from "../untrusted/github-render.ts";
import { attempt, criterion, factsOf, summaryOf } from "./overview-builders.ts";
import { hostileFacts } from "./overview-hostile.ts";
import { hostileSuite } from "./suite-cases.ts";

const waiting = { task_id: "w", variant_id: "default", replicate_index: 0, reason: "disk full" };

const ownTags = ["h2", "h3", "h4", "p", "ul", "li", "strong", "code", "pre", "a", "sub", "span", "br", "details", "summary", "wbr"];
const tableTags = ["table", "thead", "tbody", "tr", "th", "td"];

/** Holds a page against what GitHub would make of it: nothing but our own elements, addresses and headings. */
function assertInert(page: string): void {
  assert.equal(page.includes("<!--"), false);
  const html = render(page);
  for (const tag of tagsOf(html)) assert.ok([...ownTags, ...tableTags].includes(tag), `<${tag}>`);
  assert.equal(html.match(/<details>/g)?.length, html.match(/<\/details>/g)?.length);
  for (const { level, text } of headingsOf(html))
    assert.match(text, level === 3 ? /^(?:[\d,]+ [a-z ,]+|Variants|Replicates)$/ : /^(?:✅|❌|⚠️|💥) /u);
  for (const address of addressesOf(html)) assert.match(address, /^https:\/\/github\.com\/(?:acme\/agent|a\/b)\//);
  assert.doesNotMatch(filteredText(html), liveReference);
  assert.doesNotMatch(page.replace(/[\n\u200b]/g, ""), /[\p{Cc}\p{Cf}]/u);
}

test("no foreign text becomes a link, a picture, a heading, a mention or a marker", () => {
  const facts = hostileFacts();
  for (const page of [...commentLadder(facts), ...summaryLadder(facts, md``)]) assertInert(page);
});

test("whatever a task calls itself and prints stays text", () => {
  const pieces = [
    "<",
    ">",
    "`",
    "```",
    "~~~",
    "@",
    "#",
    "a",
    "1",
    "|",
    "[",
    "](",
    ")",
    "!",
    "\n",
    "\n\n",
    " ",
    "    ",
    "-",
    "*",
    "_",
    "$",
    ":",
    "\\",
    "&",
    "=",
    "</details>",
    "<!--",
    "-->",
    "http://",
    "www.",
    "\u202e",
    "\u001b[",
  ];
  const foreign = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 20 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(foreign, foreign, foreign, (id, reason, log) => {
      const row = attempt(id, { final_status: "ERROR", error_message: reason, error_log_tail: log });
      const missed = attempt(`${id}2`, {
        final_status: "FAILURE",
        success_criteria_results: [criterion({ criterion_type: log, description: id, details: reason, score: 0 })],
      });
      const skippedTasks = [{ path: id, reason, kind: "invalid" as const }];
      const summary = summaryOf([row, missed, attempt(log)], {
        skippedTasks,
        warnings: [log],
        notRun: [{ ...waiting, task_id: log, reason }],
        drift: [
          { kind: "config", field: id, before: reason, now: log, set_by: id, benign: false, rows: 2, tasks: [id, log] },
          { kind: "content", field: log, before: null, now: id, set_by: null, benign: true, rows: 0, tasks: [] },
        ],
        setAside: [{ path: id, reason, moved_to: log }],
        suites: [hostileSuite(id), hostileSuite(reason)],
      });
      const [page = md``] = commentLadder(factsOf(summary, { before: [missed], title: reason, notes: [id] }));
      assertInert(page);
    }),
    { numRuns: 100 },
  );
});
