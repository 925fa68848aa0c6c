import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { SharedWork } from "../../../../src/sandbox/docker/shared-work.ts";

const never = new AbortController().signal;

test("work is done once for all who ask, before and after its end", async () => {
  const shared = new SharedWork<number>(() => false);
  let times = 0;
  const work = async () => (times += 1);
  assert.deepEqual(await Promise.all([shared.get("a", never, work), shared.get("a", never, work)]), [1, 1]);
  assert.equal(await shared.get("a", never, work), 1);
  assert.equal(await shared.get("b", never, work), 2);
});

test("a failure is everybody's and stays, unless it is one to be forgotten", async () => {
  const shared = new SharedWork<number>((error) => error instanceof RangeError);
  await assert.rejects(
    shared.get("a", never, async () => Promise.reject(new TypeError("bad"))),
    TypeError,
  );
  await assert.rejects(
    shared.get("a", never, async () => 1),
    TypeError,
  );
  await assert.rejects(
    shared.get("b", never, async () => Promise.reject(new RangeError("for now"))),
    RangeError,
  );
  assert.equal(await shared.get("b", never, async () => 2), 2);
});

test("one who leaves does not stop the work of others; the last who leaves does, and the next starts anew", async () => {
  const shared = new SharedWork<string>(() => false);
  const [first, second] = [new AbortController(), new AbortController()];
  let inner: AbortSignal | undefined;
  const work = (signal: AbortSignal) => {
    inner = signal;
    return new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const one = shared.get("a", first.signal, work);
  const two = shared.get("a", second.signal, work);
  first.abort(new Error("first"));
  await assert.rejects(one, /first/);
  assert.equal(inner?.aborted, false);
  second.abort(new Error("second"));
  await assert.rejects(two, /second/);
  assert.equal(inner?.aborted, true);
  assert.equal(await shared.get("a", never, async () => "anew"), "anew");
  assert.equal(getEventListeners(first.signal, "abort").length + getEventListeners(second.signal, "abort").length, 0);
});
