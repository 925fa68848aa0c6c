import assert from "node:assert/strict";
import test from "node:test";
import { criterionSchema } from "../../../src/criteria/criterion-schema.ts";
import { gradeTask } from "../../../src/criteria/grade.ts";
import { type MemoryEntry, memorySandbox } from "../../fakes/memory-sandbox.ts";

const log = "cli_mocks/calls.jsonl";
const call = (argv: readonly string[], more: object = {}) =>
  JSON.stringify({ ts: "2026-01-01T00:00:00Z", tool: "uip", argv, exit: 0, ...more });

async function judge(criterion: object, files: Readonly<Record<string, MemoryEntry>>) {
  const parsed = criterionSchema.parse({ type: "cli_called", description: "c", ...criterion });
  const [result] = await gradeTask([parsed], { sandbox: memorySandbox({ files }), commandEnv: {}, signal: new AbortController().signal });
  assert.ok(result !== undefined);
  return { score: result.score, details: result.details, error: result.error };
}

const three = { [log]: `${call(["list", "--all"])}\n\n${call(["delete", "a"])}\n${call(["list"], { tool: "other" })}\n` };

test("calls that fit are counted, and the details show what was asked and found", async () => {
  assert.deepEqual(await judge({ tool: "uip", verb: "list" }, three), {
    score: 1,
    details: "Matched 1/1 required calls (filters: tool=uip, verb=list)\nExamples: ['uip list --all']",
    error: null,
  });
  assert.deepEqual(await judge({ verb_any_of: ["list", "show"], min_count: 3, flags: { "--x": { absent: true } } }, three), {
    score: 0,
    details: "Matched 2/3 required calls (filters: verb_any_of=['list', 'show'], --x absent)\nExamples: ['uip list --all', 'other list']",
    error: null,
  });
});

test("with max_count the number has to lie within", async () => {
  const guard = { tool: "uip", verb: "delete", min_count: 0, max_count: 0 };
  assert.deepEqual(await judge(guard, three), {
    score: 0,
    details: "Matched 1 calls (allowed range 0..0) (filters: tool=uip, verb=delete)\nExamples: ['uip delete a']",
    error: null,
  });
  assert.equal((await judge({ ...guard, positional: ["b"] }, three)).score, 1);
  assert.equal((await judge({ tool: "uip", max_count: 1 }, three)).score, 0);
});

test("patterns are Python's", async () => {
  const files = { [log]: call(["set", "--name", "a\nb"]) };
  assert.equal((await judge({ flags: { name: { matches_regex: "(?P<first>a).b", flags: 16 } } }, files)).score, 1);
  assert.equal((await judge({ flags: { name: { matches_regex: "a.b" } } }, files)).score, 0);
  assert.match((await judge({ flags: { name: { matches_regex: "(" } } }, files)).error ?? "", /missing \), unterminated subpattern/);
});

test("a log that proves nothing scores 0, whatever is asked: absence would be no proof either", async () => {
  const guard = { tool: "uip", min_count: 0, max_count: 0 };
  const error = async (files: Readonly<Record<string, MemoryEntry>>) => {
    const result = await judge(guard, files);
    assert.equal(result.score, 0);
    return result.error;
  };
  assert.equal((await judge(guard, { [log]: "" })).score, 1);
  assert.equal(await error({}), `File '${log}' does not exist`);
  assert.match((await error({ [log]: "", [`${log}.error`]: "" })) ?? "", /^calls are missing in/);
  for (const line of ["no json", "[]", "{}", '{"tool": "uip", "argv": "x"}', call(["a"]).slice(0, -5)]) {
    assert.equal(
      await error({ [log]: `${call(["other"], { tool: "x" })}\n${line}` }),
      `line 2 of '${log}' is no usable record of a call`,
      line,
    );
  }
  assert.match((await error({ [log]: call([], { sidecar_error: "gone" }) })) ?? "", /^the stand-in of 'uip' failed .*: gone$/);
  assert.match((await error({ [log]: call([], { rule_error: "bad" }) })) ?? "", /^ResponseRuleError: response of 'uip' .*: bad$/);
  assert.match((await error({ [log]: { kind: "outside" } })) ?? "", /leads outside the sandbox/);
});

test("records may hold keys that nobody knows, and lone surrogates", async () => {
  const files = { [log]: '{"tool":"uip","argv":["\\udcff","x"],"later":1}\n' };
  assert.equal((await judge({ positional: ["\udcff"] }, files)).score, 1);
});
