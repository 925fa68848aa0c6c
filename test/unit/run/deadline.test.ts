import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import test from "node:test";
import { DeadlineError } from "../../../src/errors.ts";
import { withDeadline } from "../../../src/run/deadline.ts";

const never = () => new AbortController().signal;

test("gives the work's value and leaves nothing on the outer signal", async () => {
  const signal = never();
  assert.equal(await withDeadline("setup", 1000, signal, async () => 7), 7);
  assert.equal(getEventListeners(signal, "abort").length, 0);
});

test("passes the work's own error on", async () => {
  await assert.rejects(
    withDeadline("setup", 1000, never(), async () => {
      throw new TypeError("own");
    }),
    TypeError,
  );
});

test("names the stage and its limit when work that ignores its signal hangs", async () => {
  await assert.rejects(
    withDeadline("grading", 20, never(), () => new Promise(() => {})),
    (error) => error instanceof DeadlineError && error.stage === "grading" && error.message === "grading took longer than 0.02 s",
  );
});

test("rejects with the outer reason, and at once when it was aborted before", async () => {
  const reason = new Error("SIGINT");
  const controller = new AbortController();
  const waiting = withDeadline("agent", 10_000, controller.signal, () => new Promise(() => {}));
  controller.abort(reason);
  await assert.rejects(waiting, (error) => error === reason);
  await assert.rejects(
    withDeadline("agent", 10_000, controller.signal, async () => assert.fail("started")),
    (error) => error === reason,
  );
});

test("tells the work through its signal", async () => {
  let seen: unknown;
  await assert.rejects(
    withDeadline(
      "build",
      10,
      never(),
      (signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            seen = signal.reason;
            reject(seen);
          }),
        ),
    ),
  );
  assert.ok(seen instanceof DeadlineError);
});

test("a limit longer than Node's longest timer does not fire at once", async () => {
  const result = await withDeadline("agent", 2 ** 40, never(), async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return "done";
  });
  assert.equal(result, "done");
});
