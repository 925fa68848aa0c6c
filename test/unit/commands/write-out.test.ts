import assert from "node:assert/strict";
import { Writable } from "node:stream";
import test from "node:test";
import { setImmediate } from "node:timers/promises";
import { writeOut } from "../../../src/commands/write-out.ts";

/** Pieces that tell how many of them were asked for. */
function counted(count: number, piece: string) {
  const made = { pieces: 0 };
  function* pieces(): Generator<string> {
    for (; made.pieces < count; ) {
      made.pieces += 1;
      yield piece;
    }
  }
  return { made, pieces: pieces() };
}

test("a slow reader gets everything, and no more is made than it can take", async () => {
  let taken = 0;
  let next: (() => void) | undefined;
  const { made, pieces } = counted(50, "x".repeat(1000));
  let mostAhead = 0;
  const slow = new Writable({
    highWaterMark: 2000,
    write(chunk: Buffer, _encoding, done) {
      mostAhead = Math.max(mostAhead, made.pieces * 1000 - taken);
      next = () => {
        taken += chunk.length;
        done();
      };
    },
  });
  let ended = false;
  const written = writeOut(slow, pieces).then(() => {
    ended = true;
  });
  while (taken < 50_000) {
    await setImmediate();
    assert.equal(ended, false);
    next?.();
  }
  await setImmediate();
  next?.();
  await written;
  assert.equal(taken, 50_000);
  assert.ok(mostAhead <= 3000, `${mostAhead} bytes ahead`);
});

test("a reader that goes away ends the writing, whether it was waited for or not", async () => {
  for (const highWaterMark of [100, 1_000_000]) {
    const { made, pieces } = counted(10_000, "x".repeat(200));
    let writes = 0;
    const closing = new Writable({
      highWaterMark,
      write(_chunk, _encoding, done) {
        writes += 1;
        setTimeout(() => done(writes > 3 ? new Error("EPIPE") : null), 0);
      },
    });
    closing.on("error", () => undefined);
    await writeOut(closing, pieces);
    assert.ok(highWaterMark > 100 || made.pieces < 10, String(made.pieces));
  }
});

test("nothing stays on the stream afterwards", async () => {
  const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
  await writeOut(stream, ["a", "b"]);
  assert.deepEqual([stream.listenerCount("error"), stream.listenerCount("drain"), stream.listenerCount("close")], [0, 0, 0]);
});
