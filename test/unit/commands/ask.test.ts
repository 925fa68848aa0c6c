import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import test from "node:test";
import { ask } from "../../../src/commands/ask.ts";

async function answerTo(typed: string): Promise<{ readonly answer: boolean; readonly shown: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = ask("3 tasks would run. Run them?", input, output);
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

test("the question says what the default is", async () => {
  assert.equal((await answerTo("y\n")).shown, "3 tasks would run. Run them? [y/N] ");
});
