import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import test from "node:test";
import { ask } from "../../../src/commands/ask.ts";

async function answerTo(typed: string): Promise<{ readonly answer: boolean; readonly shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = ask("3 tasks would run. Run them?", { input, output, signal: new AbortController().signal });
  input.end(typed);
  return { answer: await answer, shown: String(output.read() ?? "") };
}

test("only a yes is a yes", async () => {
  for (const typed of ["y\n", "Y\n", " yes \n", "YES\r\n"]) assert.equal((await answerTo(typed)).answer, true, typed);
  for (const typed of ["\n", "n\n", "no\n", "yep\n", "yes please\n", "ja\n"]) assert.equal((await answerTo(typed)).answer, false, typed);
});

test("the end of the input is a no", async () => {
  assert.equal((await answerTo("")).answer, false);
});

test("a signal at the question stops it at once: nothing was run", async () => {
  const [input, output, controller] = [new PassThrough(), new PassThrough(), new AbortController()];
  const answer = ask("Run them?", { input, output, signal: controller.signal });
  controller.abort();
  await assert.rejects(answer, { name: "InterruptedError", message: "stopped at the question; nothing was run" });
  assert.equal(String(output.read()), "Run them? [y/N] \n");
  await assert.rejects(ask("Again?", { input, output, signal: controller.signal }), { name: "InterruptedError" });
});

test("what is written after a question without an answer begins a new line", async () => {
  assert.equal((await answerTo("")).shown, "3 tasks would run. Run them? [y/N] \n");
});

test("the question says what the default is", async () => {
  assert.equal((await answerTo("y\n")).shown, "3 tasks would run. Run them? [y/N] ");
});
