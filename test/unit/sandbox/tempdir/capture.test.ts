import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createCapture } from "../../../../src/sandbox/tempdir/capture.ts";

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}

test("text survives any cutting into chunks, for the listener too", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), fc.array(fc.nat(5), { maxLength: 60 }), (raw, sizes) => {
      const text = raw.toWellFormed();
      let heard = "";
      const capture = createCapture(1_000_000, (piece) => {
        heard += piece;
      });
      for (const chunk of cut(Buffer.from(text), sizes)) capture.push(chunk);
      assert.deepEqual(capture.finish(), { text, droppedBytes: 0 });
      assert.equal(heard, text);
    }),
  );
});

test("keeps a prefix of whole characters within the cap and counts every byte beyond", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), fc.nat(80), fc.array(fc.nat(5), { maxLength: 60 }), (raw, cap, sizes) => {
      const text = raw.toWellFormed();
      const bytes = Buffer.from(text);
      const capture = createCapture(cap);
      for (const chunk of cut(bytes, sizes)) capture.push(chunk);
      const kept = capture.finish();
      assert.ok(text.startsWith(kept.text));
      assert.ok(Buffer.byteLength(kept.text) > Math.min(cap, bytes.length) - 4);
      assert.equal(kept.droppedBytes, Math.max(0, bytes.length - cap));
    }),
  );
});

test("does not keep a view of a buffer that its owner uses again", () => {
  const capture = createCapture(100);
  const chunk = Buffer.from("first");
  capture.push(chunk);
  chunk.fill("x");
  assert.equal(capture.finish().text, "first");
});

test("a listener that threw is not asked again", () => {
  let calls = 0;
  const capture = createCapture(100, () => {
    calls += 1;
    throw new Error("broken");
  });
  capture.push(Buffer.from("a"));
  capture.push(Buffer.from("b"));
  assert.deepEqual([capture.finish().text, calls], ["ab", 1]);
});
