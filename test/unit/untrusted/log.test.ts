import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { logLines } from "../../../src/untrusted/log.ts";
import { holdsCommand } from "./runner-parser.ts";

const commands = [
  "::error::forged",
  "  ::add-mask::e",
  "\u00a0\u3000::stop-commands::x",
  "::error file=a.ts,line=1::forged",
  "##[error]forged",
  "text ##[group]forged",
  "\u200b::error::forged",
  ":\u200b:error::forged",
  "#\u00ad#[error]forged",
  "##\u200b[error]forged",
  "#\u001b[0m#[error]forged",
  ":\u001b[0m:error::forged",
  "\u001b[0m::error::forged",
  "#\u0000#\u0001[error]forged",
  "#\u0600#[error]forged",
  "a\r::error::forged",
  "a\u0085::error::forged",
  "a\u2028::error::forged",
  "a\u001b]0;title\n::error::forged",
];

test("the oracle finds every command as it was sent", () => {
  for (const command of commands.filter((text) => !text.includes("\u001b") && !/[\u0085\u2028]/.test(text))) {
    assert.equal(holdsCommand(command), true, JSON.stringify(command));
  }
});

test("no line of foreign text is a workflow command, with or without its prefix", () => {
  for (const command of commands) {
    for (const prefix of ["task | ", "", "  ", "##", "::", "#", "\u200b", "a\n"]) {
      const lines = logLines(command, prefix);
      assert.equal(holdsCommand(lines.join("\n")), false, JSON.stringify([prefix, lines]));
    }
    for (const line of logLines(command, "task | ")) assert.equal(holdsCommand(line.slice("task | ".length)), false, line);
  }
});

test("no line that fuzzing finds is a workflow command", () => {
  const piece = fc.oneof(
    fc.constantFrom(...commands, ":", "::", "#", "##", "[", "]", "##[", " ", "\t", "\n", "\r", "\u001b", "\u001b[", "m", "error", "\u0301"),
    fc.string({ unit: "binary", maxLength: 3 }),
  );
  const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, (foreign, prefix) => {
      const lines = logLines(foreign, prefix);
      for (const line of lines) assert.doesNotMatch(line, /[\n\r\u0085\u2028\u2029]/u);
      assert.equal(holdsCommand(lines.join("\n")), false, JSON.stringify(lines));
    }),
    { numRuns: 3_000 },
  );
});

test("every piece of a line gets the prefix, whatever ended it", () => {
  assert.deepEqual(logLines("a\r\nb\rc\nd\u2028e\n", "t | "), ["t | a", "t | b", "t | c", "t | d", "t | e"]);
  assert.deepEqual(logLines("a\n\nb", "t | "), ["t | a", "t | ", "t | b"]);
  assert.deepEqual(logLines("", "t | "), []);
});

test("ordinary text comes through as it is", () => {
  const text = "std::vector<int> # 50% ##[ \t\u00e9 \u{1f600} a::b::c";
  assert.deepEqual(logLines("std::vector<int> # 50% [x] \té \u{1f600} a::b::c", "t | "), [
    "t | std::vector<int> # 50% [x] \té \u{1f600} a::b::c",
  ]);
  assert.deepEqual(logLines(text, "t | "), [`t | ${text.replace("##[", "## [")}`]);
});

test("terminal escapes and controls are gone, what they coloured stays", () => {
  const text = "\u001b[1;31mred\u001b[0m \u001b]8;;http://h\u001b\\link\u001b]8;;\u001b\\ \u0007bell \u009b2Jclear \u001b(Bset";
  assert.deepEqual(logLines(text, "t | "), ["t | red link bell clear set"]);
});

test("a terminal string that never ends hides nothing but its start", () => {
  assert.deepEqual(logLines("a\u001b]0;title\nevidence", "t | "), ["t | a0;title", "t | evidence"]);
});

test("a flood of half escapes is cleaned in linear time and hides nothing behind it", () => {
  for (const unit of ["\u001b]", "\u0090", "\u001b[0", "\u001b[", "#", "##", " :", "\u0301"]) {
    assert.equal(logLines(`${unit.repeat(200_000)}\nend`, "t | ").at(-1), "t | end", JSON.stringify(unit));
  }
});
