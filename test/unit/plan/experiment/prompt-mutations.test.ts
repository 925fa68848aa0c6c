import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import fc from "fast-check";
import { z } from "zod";
import { type PromptMutation, promptMutationSchema } from "../../../../src/plan/experiment/experiment-schema.ts";
import { applyMutation, type Fill } from "../../../../src/plan/experiment/prompt-mutations.ts";

const goldenSchema = z.object({
  base: z.string(),
  cases: z.array(
    z.object({
      mutations: z.array(z.record(z.string(), z.unknown())),
      result: z.string().optional(),
      error: z.object({ class: z.string(), message: z.string() }).optional(),
    }),
  ),
});

const golden = goldenSchema.parse(
  JSON.parse(readFileSync(new URL("../../../fixtures/plan/prompt-mutations.json", import.meta.url), "utf8")),
);

function mutated(prompt: string, mutation: PromptMutation, fill?: Fill): string {
  const result = applyMutation(prompt, mutation, fill);
  return result.kind === "text" ? result.text : `${result.problem.field.join(".")}: ${result.problem.message}`;
}

for (const [index, { mutations, result, error }] of golden.cases.entries()) {
  test(`a prompt changes as the Python tool changes it: case ${index}, ${JSON.stringify(mutations)}`, () => {
    const read = z.array(promptMutationSchema).safeParse(mutations);
    // Upstream finds a bad expression when it is applied; we find it at load, in the same words.
    if (error?.class === "ValidationError") return assert.equal(read.success, false);
    assert.ok(read.success);
    let prompt = golden.base;
    for (const mutation of read.data) prompt = mutated(prompt, mutation);
    if (error === undefined) assert.equal(prompt, result);
    else assert.ok(prompt.endsWith(`: ${error.message}`), prompt);
  });
}

const literal = (pattern: string, replacement: string): PromptMutation => ({ type: "replace", pattern, replacement, regex: false });
const regex = (pattern: string, replacement: string): PromptMutation => ({ type: "replace", pattern, replacement, regex: true });

test("an empty pattern puts the replacement before every character and at the end, and breaks none", () => {
  assert.equal(mutated("a😀", literal("", "-")), "-a-😀-");
  assert.equal(mutated("", literal("", "-")), "-");
});

test("a template fills one variable after the other: what one brings in, a later one may fill", () => {
  const variables = (one: string, two: string): PromptMutation => ({ type: "template", variables: { one, two } });
  assert.equal(mutated("{one} {two}", variables("{two}", "x")), "x x");
  assert.equal(mutated("{one} {two}", variables("x", "{one}")), "x {one}");
});

test("a template fills nothing but its own names in braces", () => {
  assert.equal(
    mutated("{ name } ${name} {{name}} {Name} name", { type: "template", variables: { name: "$&" } }),
    "{ name } $$& {$&} {Name} name",
  );
});

test("a pattern that runs away on a prompt is stopped, and the problem names it", () => {
  const result = applyMutation("a".repeat(60), regex("(a|aa)+$x", "b"));
  assert.ok(result.kind === "problem");
  assert.equal(result.problem.code, "regex-limit");
  assert.deepEqual(result.problem.field, ["pattern"]);
  assert.match(result.problem.message, /^the regular expression took longer than 1 s: '\(a\|aa\)\+\$x' on a prompt of 60 characters$/);
});

test("a pattern that ran away on three prompts is tried on no more, since a plan has thousands", () => {
  const mutation = regex("(a|aa)+$y", "b");
  const messages = [1, 2, 3, 4].map(() => {
    const result = applyMutation("a".repeat(60), mutation);
    return result.kind === "problem" ? result.problem.message : "";
  });
  assert.match(messages[2] ?? "", /longer than 1 s/);
  assert.equal(messages[3], "the regular expression took too long on 3 other prompts: '(a|aa)+$y'");
  const other = applyMutation("aa$y", regex("(a|aa)+\\$y", "b"));
  assert.equal(other.kind === "text" ? other.text : "", "b");
});

test("mutations that make more and more of a prompt end in a problem instead of filling the memory", () => {
  const problemOf = (mutation: PromptMutation) => {
    const result = applyMutation("a".repeat(3_000_000), mutation);
    return result.kind === "problem" ? [result.problem.code, result.problem.field] : result.text.length;
  };
  const more = (count: number) => `the prompt would have ${count} characters, more than 5242880`;
  assert.equal(mutated("a".repeat(3_000_000), literal("a", "aa")), `replacement: ${more(6_000_000)}`);
  assert.deepEqual(problemOf(literal("", "aa")), ["prompt-too-large", ["replacement"]]);
  assert.deepEqual(problemOf({ type: "prefix", content: "b".repeat(3_000_000), separator: "" }), ["prompt-too-large", ["content"]]);
  assert.deepEqual(problemOf({ type: "suffix", content: "", separator: "b".repeat(3_000_000) }), ["prompt-too-large", ["content"]]);
  assert.deepEqual(problemOf(regex("a{1000}", "\\g<0>\\g<0>")), ["regex-limit", ["pattern"]]);
  const template = applyMutation("{n}".repeat(1000), { type: "template", variables: { n: "b".repeat(6000) } });
  assert.deepEqual(template.kind === "problem" ? template.problem.field : "", ["variables", "n"]);
});

const fillWith =
  (value: string): Fill =>
  (text) => ({ kind: "text", text: text.replaceAll("${row.x}", () => value) });

test("a dataset row fills contents, replacements and variables, never patterns", () => {
  const fill = fillWith("V");
  assert.equal(mutated("p", { type: "prefix", content: "${row.x}", separator: "|" }, fill), "V|p");
  assert.equal(mutated("p", { type: "suffix", content: "${row.x}", separator: "|" }, fill), "p|V");
  assert.equal(mutated("p", literal("p", "${row.x}"), fill), "V");
  assert.equal(mutated("p", regex("p", "<${row.x}>"), fill), "<V>");
  assert.equal(mutated("{n}", { type: "template", variables: { n: "${row.x}" } }, fill), "V");
  assert.equal(mutated("V", literal("${row.x}", "hit"), fill), "V");
});

test("a value of a row is plain text in a replacement, whatever characters it has", () => {
  assert.equal(mutated("aba", regex("(b)", "[${row.x}\\1]"), fillWith("\\1 \\g<0> $& \\q")), "a[\\1 \\g<0> $& \\qb]a");
});

test("a row that cannot fill a text is a problem at that text", () => {
  const fill: Fill = (text) => (text.includes("${") ? { kind: "problem", message: "no field 'x'" } : { kind: "text", text });
  const at = (mutation: PromptMutation) => mutated("p {n}", mutation, fill);
  assert.equal(at({ type: "prefix", content: "${row.x}", separator: "" }), "content: no field 'x'");
  assert.equal(at(literal("p", "${row.x}")), "replacement: no field 'x'");
  assert.equal(at(regex("(p)", "\\1${row.x}")), "replacement: no field 'x'");
  assert.equal(at({ type: "template", variables: { a: "b", n: "${row.x}" } }), "variables.n: no field 'x'");
});

const prompt = fc.string({ unit: "grapheme", maxLength: 60 });
const word = fc.stringMatching(/^[a-z]{1,3}$/);

test("a prefix and a suffix leave the prompt as it is, between separator and content", () => {
  fc.assert(
    fc.property(prompt, prompt, prompt, (text, content, separator) => {
      assert.equal(mutated(text, { type: "prefix", content, separator }), content + separator + text);
      assert.equal(mutated(text, { type: "suffix", content, separator }), text + separator + content);
    }),
  );
});

test("a literal replacement touches nothing but its pattern", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(prompt, word)), word, prompt, (pieces, pattern, replacement) => {
      const text = pieces.join("");
      const result = mutated(text, literal(pattern, replacement));
      // What is between the patterns comes out unchanged and in order, with a replacement between each two.
      assert.equal(result, text.split(pattern).join(replacement));
      if (!text.includes(pattern)) assert.equal(result, text);
    }),
  );
});

test("a regular expression of plain letters replaces what the literal does", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(prompt, word), { maxLength: 8 }), word, word, (pieces, pattern, replacement) => {
      const text = pieces.join("");
      assert.equal(mutated(text, regex(pattern, replacement)), mutated(text, literal(pattern, replacement)));
    }),
    { numRuns: 50 },
  );
});

test("a template touches nothing in a prompt that names none of its variables", () => {
  const names = fc.dictionary(word, prompt, { maxKeys: 4 });
  fc.assert(
    fc.property(prompt, names, (text, variables) => {
      fc.pre(Object.keys(variables).every((name) => !text.includes(`{${name}}`)));
      assert.equal(mutated(text, { type: "template", variables }), text);
    }),
  );
});

test("a template changes each name in braces to its value, and all between them stays", () => {
  const piece = fc.record({ name: word, text: fc.string({ unit: fc.constantFrom("x", " ", "\n", "}", "é") }) });
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.map((each) => `{${each.name}}${each.text}`).join("");
      const variables = Object.fromEntries(pieces.map(({ name }) => [name, name.toUpperCase()]));
      assert.equal(mutated(text, { type: "template", variables }), pieces.map((each) => each.name.toUpperCase() + each.text).join(""));
    }),
  );
});
