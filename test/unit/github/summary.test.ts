import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { fitMarkdown } from "../../../src/github/size-ladder.ts";
import { maxSummaryBytes, writeSummary } from "../../../src/github/summary.ts";
import { codeBlock, cutMarkdown, details, inlineText, joinMarkdown, md } from "../../../src/untrusted/markdown.ts";
import { render } from "../untrusted/github-render.ts";

function makeFile(t: { after(work: () => void): void }, content = ""): string {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-summary-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "summary.md");
  writeFileSync(path, content);
  return path;
}

const block = (bytes: number) => codeBlock("é\n".repeat(bytes / 3), bytes * 2);

test("the report is appended to what stands in the summary, as a block of its own", async (t) => {
  const path = makeFile(t, "| a table |\n|---|\n| without its end");
  assert.deepEqual(await writeSummary(path, [md`report\n`]), { kind: "written", shortened: false });
  assert.equal(readFileSync(path, "utf8"), "| a table |\n|---|\n| without its end\n\nreport\n");
});

test("the fullest rendering that fits is taken, and later ones are not made", async (t) => {
  const path = makeFile(t);
  const made: string[] = [];
  function* ladder() {
    for (const [name, size] of [
      ["full", 1_200_000],
      ["middle", 900_000],
      ["short", 10],
    ] as const) {
      made.push(name);
      yield md`${inlineText(name, 10)}${block(size)}`;
    }
  }
  assert.deepEqual(await writeSummary(path, ladder()), { kind: "written", shortened: true });
  assert.deepEqual(made, ["full", "middle"]);
  assert.match(readFileSync(path, "utf8"), /^middle\n/);
});

test("when nothing fits the shortest is cut, and the summary stays below the limit together with what was there", async (t) => {
  const path = makeFile(t, "x".repeat(400_000));
  await writeSummary(path, [block(1_300_000), block(1_200_000)]);
  const text = readFileSync(path, "utf8");
  assert.ok(Buffer.byteLength(text) <= maxSummaryBytes);
  assert.ok(Buffer.byteLength(text) > maxSummaryBytes - 1000);
  assert.match(text, /\n```\n\n\*\*The report was cut here/);
});

test("a summary that is full stays as it is", async (t) => {
  const path = makeFile(t, "x".repeat(maxSummaryBytes));
  await writeSummary(path, [md`report`]);
  assert.equal(readFileSync(path, "utf8").length, maxSummaryBytes);
});

test("a summary that cannot be written is told and does not throw", async (t) => {
  const path = join(makeFile(t), "no-directory", "summary.md");
  const end = await writeSummary(path, [md`report`]);
  assert.equal(end.kind, "failed");
  assert.equal((await writeSummary(undefined, [md`report`])).kind, "skipped");
});

test("a cut closes the fence and the folded sections that it went through", () => {
  const report = details(md`log`, md`${details(md`inner`, md`${codeBlock("```\n<details>\nline\nline\nline", 1000)}`)}\nafter`);
  for (let bytes = 60; bytes < Buffer.byteLength(report); bytes += 1) {
    const cut = cutMarkdown(report, bytes);
    assert.ok(Buffer.byteLength(cut) <= bytes, `${bytes}`);
    const html = render(md`${cut}\n**notice**`);
    assert.match(html, /\n?<p><strong>notice<\/strong><\/p>$/, html);
    assert.equal(html.match(/<details>/g)?.length ?? 0, html.match(/<\/details>/g)?.length ?? 0);
  }
});

test("what was fitted is never larger than the limit", () => {
  const parts = fc.array(fc.string({ unit: "binary", maxLength: 60 }), { maxLength: 20 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 0, max: 600 }), (texts, limit) => {
      const report = joinMarkdown(texts.map((text) => details(inlineText(text, 20), codeBlock(text, 100))));
      const { text, shortened } = fitMarkdown([report], limit);
      assert.ok(Buffer.byteLength(text) <= limit);
      if (!shortened) assert.equal(text, report);
    }),
  );
});
