import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { shellWords, unwrapShell } from "../../../../src/agents/cli/shell-words.ts";

for (const [text, words] of [
  ["", []],
  ["a  b\tc", ["a", "b", "c"]],
  ["'a b'c \"d $e\"", ["a bc", "d $e"]],
  ['"a \\"b\\" \\$c \\d"', ['a "b" $c \\d']],
  ["'' a\\ b", ["", "a b"]],
  ["'open", undefined],
  ["a | b", undefined],
  ["a; b", undefined],
] as const) {
  test(`the words of ${JSON.stringify(text)}`, () => assert.deepEqual(shellWords(text), words));
}

for (const [command, script] of [
  ["/bin/sh -lc 'echo turn-1'", "echo turn-1"],
  ['bash -c "cat <<\'EOF\'\nprint(\\"x\\")\nEOF"', "cat <<'EOF'\nprint(\"x\")\nEOF"],
  ["/bin/zsh -lc ls", "ls"],
  ["echo -lc ls", "echo -lc ls"],
  ["sh -lc ls more", "sh -lc ls more"],
  ["sh -lc 'a' | b", "sh -lc 'a' | b"],
  ["ls -l", "ls -l"],
] as const) {
  test(`${JSON.stringify(command)} runs ${JSON.stringify(script)}`, () => assert.equal(unwrapShell(command), script));
}

test("any script in single quotes comes out as it went in", () => {
  fc.assert(fc.property(fc.string(), (script) => assert.equal(unwrapShell(`sh -c '${script.replaceAll("'", "'\\''")}'`), script)));
});
