import assert from "node:assert/strict";
import test from "node:test";
import { didYouMean } from "../../../src/schema/did-you-mean.ts";

const known = ["tasks", "tags", "exclude-tags", "max-parallel", "run-dir", "max_turns"];

test("the nearest known word is meant, through typing mistakes and other separators", () => {
  for (const [typed, meant] of [
    ["taks", "tasks"],
    ["task", "tasks"],
    ["TAGS", "tags"],
    ["exclude_tags", "exclude-tags"],
    ["excludeTags", "exclude-tags"],
    ["maxparalel", "max-parallel"],
    ["max-turns", "max_turns"],
    ["rundir", "run-dir"],
  ]) {
    assert.equal(didYouMean(typed ?? "", known), meant, typed);
  }
});

test("nothing is meant by a word that is far from all", () => {
  for (const word of ["", "x", "retries", "completely-different", "t".repeat(100_000)])
    assert.equal(didYouMean(word, known), undefined, word.slice(0, 20));
});
