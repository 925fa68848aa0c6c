import assert from "node:assert/strict";
import test from "node:test";
import { errorsOf, head, loaded, oneVariant } from "./experiment-folder.ts";

const missing = (name: string) => `required field '${name}' is missing`;

test("prompt mutations are prefix, suffix, replace and template, each with its fields", async () => {
  const of = async (mutation: string) => await errorsOf(`${head}defaults:\n  prompt_mutations: [${mutation}]\n${oneVariant}`);
  const at = "defaults.prompt_mutations[0]";
  assert.deepEqual(await of("{type: prefx, content: c}"), [
    `${at}.type: found text 'prefx', expected one of prefix, suffix, replace, template`,
  ]);
  assert.deepEqual(await of("{content: c}"), [`${at}.type: ${missing("type")}`]);
  assert.deepEqual(await of("{type: prefix}"), [`${at}.content: ${missing("content")}`]);
  assert.deepEqual(await of("{type: replace}"), [`${at}.pattern: ${missing("pattern")}`, `${at}.replacement: ${missing("replacement")}`]);
  assert.deepEqual(await of("{type: template, variables: {a: 1}}"), [`${at}.variables.a: found the number 1, expected text`]);
  const { defaults } = await loaded(
    `${head}defaults:\n  prompt_mutations: [{type: suffix, content: c}, {type: replace, pattern: p, replacement: r}]\n${oneVariant}`,
  );
  assert.deepEqual(defaults.prompt_mutations, [
    { type: "suffix", content: "c", separator: "\n\n" },
    { type: "replace", pattern: "p", replacement: "r", regex: false },
  ]);
});

test("a regular expression or a replacement that Python refuses is refused at load, in Python's words", async () => {
  const of = async (pattern: string, replacement: string, regex = "true") =>
    await errorsOf(
      `${head}defaults:\n  prompt_mutations: [{type: replace, pattern: '${pattern}', replacement: '${replacement}', regex: ${regex}}]\n${oneVariant}`,
    );
  const at = "defaults.prompt_mutations[0]";
  assert.deepEqual(await of("(", "x"), [
    `${at}.pattern: '(' is no valid regular expression: missing ), unterminated subpattern at position 0`,
  ]);
  assert.deepEqual(await of("a", "\\9"), [`${at}.replacement: '\\9' is no valid replacement: invalid group reference 9 at position 1`]);
  assert.deepEqual(await of("a", "\\g<n>", "yes"), [`${at}.replacement: '\\g<n>' is no valid replacement: unknown group name 'n'`]);
  assert.equal(
    (await loaded(`${head}defaults:\n  prompt_mutations: [{type: replace, pattern: '(', replacement: '\\9'}]\n${oneVariant}`)).defaults
      .prompt_mutations.length,
    1,
  );
});
