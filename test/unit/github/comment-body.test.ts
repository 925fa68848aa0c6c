import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type CommentBody, commentBodies } from "../../../src/github/comment-body.ts";
import { hashKey, parseMarker } from "../../../src/github/comment-marker.ts";
import { codeBlock, inlineText, md, type SafeMarkdown } from "../../../src/untrusted/markdown.ts";

const marker = { key: hashKey("evals"), runId: "4711", attempt: 1, data: "abc" };

function all(ladder: Iterable<SafeMarkdown>, data = marker.data): CommentBody[] {
  const bodies = commentBodies(ladder, { ...marker, data });
  const made = [bodies.current];
  while (bodies.shrink()) made.push(bodies.current);
  return made;
}

test("the fullest rendering comes first, and later ones are made only when it is refused", () => {
  const made: string[] = [];
  function* ladder(): Generator<SafeMarkdown> {
    for (const rung of [md`the full one`, md`short`]) {
      made.push(rung);
      yield rung;
    }
  }
  const bodies = commentBodies(ladder(), marker);
  assert.equal(bodies.current.text.split("\n")[1], "the full one");
  assert.equal(bodies.current.shortened, false);
  assert.deepEqual(made, ["the full one"]);
  assert.equal(bodies.shrink(), true);
  assert.deepEqual([bodies.current.text.split("\n")[1], bodies.current.shortened], ["short", true]);
});

test("characters of two, three and four bytes count as what they are", () => {
  const rung = (character: string, count: number): SafeMarkdown => inlineText(character.repeat(count), count);
  // 65,535 bytes and 60,000 units, the marker included.
  const [fits, tooManyBytes, tooManyUnits] = [rung("é", 32_600), rung("漢", 22_000), rung("a", 60_000)];
  assert.equal(all([fits, md`short`])[0]?.shortened, false);
  assert.equal(all([tooManyBytes, md`short`])[0]?.text.split("\n")[1], "short");
  assert.equal(all([tooManyUnits, md`short`])[0]?.text.split("\n")[1], "short");
});

test("a report that fits in no rendering is cut, and told", () => {
  const [body] = all([codeBlock("line of a log\n".repeat(10_000), 1e6)]);
  assert.ok(body?.shortened);
  assert.match(body.text, /line of a log\n```\n[\s\S]*The report was cut here/);
});

test("an empty ladder still gives a comment", () => {
  assert.match(all([])[0]?.text ?? "", /^<!-- .* -->\n\*\*The report is too large for a comment\.\*\*/);
});

test("every body fits, starts with its marker, and is smaller than the one before", () => {
  const rungs = fc.array(
    fc
      .tuple(fc.integer({ min: 0, max: 80_000 }), fc.constantFrom("x", "é", "漢", "😀", "`", "\n"))
      .map(([count, text]) => codeBlock(text.repeat(count), 200_000)),
    { maxLength: 4 },
  );
  const data = fc.integer({ min: 0, max: 12_000 }).map((length) => "d".repeat(length));
  fc.assert(
    fc.property(rungs, data, (ladder, remembered) => {
      const made = all(ladder, remembered);
      for (const [index, { text }] of made.entries()) {
        assert.ok(text.length <= 60_000 && Buffer.byteLength(text) <= 65_535);
        assert.equal(parseMarker(text)?.key, marker.key);
        assert.ok(index === 0 || text.length < (made[index - 1]?.text.length ?? 0));
      }
      assert.ok((made.at(-1)?.text.length ?? 0) < 300);
    }),
    { numRuns: 60 },
  );
});
