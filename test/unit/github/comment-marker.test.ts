import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type CommentMarker, hashKey, isLater, markerLine, parseMarker } from "../../../src/github/comment-marker.ts";
import { codeBlock, inlineText } from "../../../src/untrusted/markdown.ts";
import { render } from "../untrusted/github-render.ts";

const marker: CommentMarker = { key: hashKey("evals"), runId: "4711", attempt: 2, data: "aB-_9" };

const markers = fc.record({
  key: fc.string().map(hashKey),
  runId: fc.option(fc.bigInt({ min: 1n, max: 10n ** 20n - 1n }).map(String), { nil: undefined }),
  attempt: fc.integer({ min: 1, max: 999_999 }),
  data: fc.stringMatching(/^[\w-]*$/),
});

test("what a marker says is read back, whatever follows it", () => {
  fc.assert(
    fc.property(markers, fc.string(), (written, body) => {
      assert.deepEqual(parseMarker(markerLine(written) + body), { ...written });
    }),
  );
});

test("a marker is one line that no text breaks out of", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (runId, data) => {
      const line = markerLine({ ...marker, runId, data });
      assert.match(line, /^<!-- [^<>\n]* -->\n$/);
      assert.notEqual(parseMarker(line), undefined);
    }),
  );
});

test("a marker shows nothing, and the line after it is Markdown", () => {
  const html = render(`${markerLine(marker)}**passed**\n`);
  assert.equal(html.replace(/<!--.*?-->\s*/s, "").trim(), "<p><strong>passed</strong></p>");
});

test("data of 12,000 characters is read back", () => {
  const data = "x".repeat(12_000);
  assert.equal(parseMarker(`${markerLine({ ...marker, data })}text`)?.data, data);
});

test("a marker counts only at the very start", () => {
  const line = markerLine(marker);
  for (const body of [
    ` ${line}`,
    `\n${line}`,
    `\u{feff}${line}`,
    `> ${line}`,
    `text\n${line}`,
    line.replace("\n", " text\n"),
    "",
    "<!-- evalbatch:comment -->",
  ]) {
    assert.equal(parseMarker(body), undefined, JSON.stringify(body));
  }
});

test("a browser's line ends, fields of later versions and odd values are let through", () => {
  const key = hashKey("evals");
  assert.deepEqual(parseMarker(markerLine(marker).replace("\n", "\r\ntext")), marker);
  assert.deepEqual(parseMarker(`<!-- evalbatch:comment v=2 key=${key} run=x attempt=0 -->`), {
    key,
    runId: undefined,
    attempt: 1,
    data: "",
  });
});

test("foreign text in a report never becomes a marker", () => {
  const forged = markerLine(marker);
  for (const text of [codeBlock(forged, 1000), inlineText(forged, 1000)]) {
    assert.equal(parseMarker(text.trimStart()), undefined);
    assert.doesNotMatch(text, /<!--/);
  }
});

test("keys of any length and language become short words that differ", () => {
  const keys = ["", "a", "A", "é", "-->", "x".repeat(10_000)].map(hashKey);
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) assert.match(key, /^[0-9a-f]{16}$/);
});

test("run ids count up beyond what a number holds, attempts within a run", () => {
  const at = (runId: string | undefined, attempt = 1): { runId: string | undefined; attempt: number } => ({ runId, attempt });
  assert.equal(isLater(at("1000"), at("999")), true);
  assert.equal(isLater(at("99999999999999999999"), at("99999999999999999998")), true);
  assert.equal(isLater(at("999", 9), at("1000")), false);
  assert.equal(isLater(at("999", 2), at("999")), true);
  assert.equal(isLater(at("999"), at("999")), false);
});

test("a run without an id is neither later nor earlier", () => {
  assert.equal(isLater({ runId: undefined, attempt: 9 }, { runId: "1", attempt: 1 }), false);
  assert.equal(isLater({ runId: "1", attempt: 9 }, { runId: undefined, attempt: 1 }), false);
});
