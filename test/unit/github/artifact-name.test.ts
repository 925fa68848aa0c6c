import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { type ArtifactNameOptions, artifactName, attemptsByName, legKey, maxNames, nameOfTry } from "../../../src/github/artifact-name.ts";

/** What the service refuses in a name (actions/toolkit, path-and-artifact-name-validation.ts). */
const refusedByService = /["*/:<>?\\|\r\n]/;

const leg = (values: unknown): string => JSON.stringify(values, undefined, 2);

function pattern(options: ArtifactNameOptions, expected: RegExp): void {
  assert.match(artifactName(options), expected);
}

test("names the job and the attempt", () => {
  assert.equal(artifactName({ job: "evals", attempt: 1 }), "evalbatch-evals-1");
  assert.equal(artifactName({ job: "evals", attempt: 3 }), "evalbatch-evals-3");
  assert.equal(artifactName({ attempt: 1 }), "evalbatch-1");
});

test("knows the ways to say that there is no matrix", () => {
  for (const none of [undefined, "", "  ", "null", "{}", "${{ toJSON(matrix) }}", "  ${{ matrix }}"])
    assert.equal(artifactName({ job: "evals", leg: none, attempt: 1 }), "evalbatch-evals-1", `leg ${none}`);
});

test("names the leg by its values, with a hash of all of it", () => {
  pattern({ job: "evals", leg: leg({ os: "ubuntu-24.04", node: 24 }), attempt: 2 }, /^evalbatch-evals-ubuntu-24\.04-24-[0-9a-z]{6}-2$/);
  pattern(
    { job: "evals", leg: leg({ model: "a/b:c", deep: { flag: true, none: null } }), attempt: 1 },
    /^evalbatch-evals-a-b-c-true-[0-9a-z]{6}-1$/,
  );
  pattern({ job: "evals", leg: leg({ image: "日本" }), attempt: 1 }, /^evalbatch-evals-[0-9a-z]{6}-1$/);
  pattern({ job: "evals", leg: "no JSON: at all", attempt: 1 }, /^evalbatch-evals-no-JSON-at-all-[0-9a-z]{6}-1$/);
});

test("gives one leg one name, however its JSON is laid out", () => {
  const values = { os: "linux", shard: 2 };
  assert.equal(
    artifactName({ job: "a", leg: JSON.stringify(values), attempt: 1 }),
    artifactName({ job: "a", leg: leg(values), attempt: 1 }),
  );
});

test("keeps legs apart whose values read the same", () => {
  const legs = [
    { a: 1, b: 12 },
    { a: 11, b: 2 },
    { a: 1, b: "12" },
    { a: "1-12" },
    { a: "1/12" },
    { a: "1:12" },
    { b: 12, a: 1 },
    { a: [1, 12] },
  ];
  const names = legs.map((values) => artifactName({ job: "evals", leg: leg(values), attempt: 1 }));
  assert.equal(new Set(names).size, legs.length, names.join("\n"));
  // On a file system that knows no case.
  const cased = ["x", "X"].map((os) => artifactName({ job: "evals", leg: leg({ os }), attempt: 1 }).toLowerCase());
  assert.notEqual(cased[0], cased[1]);
});

test("leaves a given name as it is, in every attempt", () => {
  for (const attempt of [1, 2, 17]) assert.equal(artifactName({ given: " my results ", job: "evals", attempt }), "my results");
  assert.equal(artifactName({ given: "résultats 日本 (a+b)", attempt: 1 }), "résultats 日本 (a+b)");
  assert.equal(artifactName({ given: "  ", job: "evals", attempt: 1 }), "evalbatch-evals-1");
});

test("adds the leg to a given name, unless that tells the leg already", () => {
  const linux = leg({ os: "linux", node: 24 });
  pattern({ given: "evals", leg: linux, attempt: 2 }, /^evals-linux-24-[0-9a-z]{6}$/);
  pattern({ given: "evals-linux", leg: linux, attempt: 1 }, /^evals-linux-linux-24-[0-9a-z]{6}$/);
  pattern({ given: "evals-linux-v247", leg: linux, attempt: 1 }, /^evals-linux-v247-linux-24-[0-9a-z]{6}$/);
  assert.equal(artifactName({ given: "evals-linux-24", leg: linux, attempt: 1 }), "evals-linux-24");
  assert.equal(artifactName({ given: "24 on linux", leg: linux, attempt: 1 }), "24 on linux");
  // A value is a text, not a pattern.
  pattern({ given: "evals-axb", leg: leg({ tag: "a.b" }), attempt: 1 }, /^evals-axb-a\.b-[0-9a-z]{6}$/);
});

test("replaces what the service refuses, and keeps different texts apart", () => {
  const given = ["a/b", "a:b", "a\\b", 'a"b', "a|b", "a*b", "a?b", "a<b", "a>b", "a\nb", "a\rb", "a\u{202e}b", "a\u{200b}b", "a\0b"];
  const names = given.map((text) => artifactName({ given: text, attempt: 1 }));
  for (const name of names) assert.match(name, /^a-b-[0-9a-z]{6}$/);
  assert.equal(new Set(names).size, given.length);
  pattern({ given: "..", attempt: 1 }, /^evalbatch-[0-9a-z]{6}$/);
  pattern({ given: "results.", attempt: 1 }, /^results-[0-9a-z]{6}$/);
});

test("cuts long names to 200 bytes, and keeps them apart", () => {
  const names = ["x", "y"].map((end) => artifactName({ given: `${"é".repeat(400)}${end}`, leg: leg({ os: "linux" }), attempt: 1 }));
  for (const name of names) {
    assert.ok(Buffer.byteLength(name) <= 200, name);
    assert.match(name, /^é+-[0-9a-z]{6}-linux-[0-9a-z]{6}$/);
  }
  assert.notEqual(names[0], names[1]);
});

const anyText = fc.string({ unit: "binary", maxLength: 300 });
const anyValue = fc.oneof(anyText, fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string({ maxLength: 5 })));
const anyLeg = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), anyValue, { minKeys: 1, maxKeys: 4, noNullPrototype: true });

test("any texts give a name that the service takes", () => {
  const options = fc.record({
    given: fc.option(anyText, { nil: undefined }),
    job: fc.option(anyText, { nil: undefined }),
    leg: fc.option(fc.oneof(anyText, anyLeg.map(leg)), { nil: undefined }),
    attempt: fc.integer({ min: 1, max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(options, (values) => {
      const name = artifactName(values);
      assert.ok(name !== "" && Buffer.byteLength(name) <= 200, name);
      assert.doesNotMatch(name, refusedByService);
      assert.doesNotMatch(name, /\p{C}|^\.|[. ]$/u);
      assert.equal(name, artifactName(values));
    }),
  );
});

/** Few letters and every refused one, so that texts meet once they are cleaned. */
const closeText = fc.string({ unit: fc.constantFrom("a", "A", "-", "/", ":", " ", "é", "\n"), maxLength: 6 });
const closeLeg = fc.dictionary(fc.constantFrom("os", "model"), fc.oneof(closeText, fc.integer({ min: 0, max: 12 })), {
  minKeys: 1,
  noNullPrototype: true,
});

test("the legs of a matrix never share a name, nor do attempts", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(closeLeg, { selector: (values) => JSON.stringify(values), minLength: 2, maxLength: 12 }),
      closeText,
      (legs, job) => {
        const names = legs.flatMap((values) => [1, 2].map((attempt) => artifactName({ job, leg: leg(values), attempt })));
        assert.equal(new Set(names).size, names.length, names.join("\n"));
      },
    ),
  );
});

test("the legs of a matrix never share a name that was given for all of them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(closeLeg, { selector: (values) => JSON.stringify(values), minLength: 2, maxLength: 12 }), (legs) => {
      const names = legs.map((values) => artifactName({ given: "evals", leg: leg(values), attempt: 1 }));
      assert.equal(new Set(names).size, names.length, names.join("\n"));
    }),
  );
});

test("different given names never meet", () => {
  fc.assert(
    fc.property(closeText, closeText, (one, other) => {
      fc.pre(one.trim() !== other.trim() && one.trim() !== "" && other.trim() !== "");
      assert.notEqual(artifactName({ given: one, attempt: 1 }), artifactName({ given: other, attempt: 1 }));
    }),
  );
});

test("a name tells in which attempts it may have been given, its numbers included", () => {
  const attemptsOf = attemptsByName({ job: "evals" }, 12);
  for (const [name, attempts] of [
    ["evalbatch-evals-1", [1]],
    ["evalbatch-evals-12", [12]],
    ["evalbatch-evals-1-2", [1]],
    ["evalbatch-evals-11-5", [11]],
    ["evalbatch-evals-3-0a1b2c3d", [3]],
    ["evalbatch-evals-13", []],
    ["evalbatch-evals-0", []],
    ["evalbatch-evals-1-1", []],
    ["evalbatch-evals-1-6", []],
    ["evalbatch-evals-1-0A1B2C3D", []],
    ["evalbatch-evals-1-2-2", []],
    ["xevalbatch-evals-1", []],
    ["evalbatch-evals", []],
    ["", []],
  ] as const)
    assert.deepEqual(attemptsOf(name), attempts, name);
  assert.deepEqual(attemptsByName({ given: "results" }, 3)("results-2"), [1, 2, 3]);
  assert.deepEqual(attemptsByName({ job: "evals" }, 0)("evalbatch-evals-1"), []);
  assert.deepEqual(attemptsByName({ job: "evals" }, Number.MAX_SAFE_INTEGER)("evalbatch-evals-1"), []);
});

const anyOptions = fc.record({
  given: fc.option(anyText, { nil: undefined }),
  job: fc.option(anyText, { nil: undefined }),
  leg: fc.option(anyLeg.map(leg), { nil: undefined }),
});

test("every name that an upload of a job takes is known as that job's and attempt's", () => {
  fc.assert(
    fc.property(anyOptions, fc.integer({ min: 1, max: 20 }), fc.nat(maxNames - 1), fc.nat(5), (options, attempt, tries, later) => {
      const name = nameOfTry(artifactName({ ...options, attempt }), tries);
      assert.ok(attemptsByName(options, attempt + later)(name).includes(attempt), name);
    }),
  );
});

test("no name of another leg is known as this one's", () => {
  const two = fc.uniqueArray(closeLeg, { selector: (values) => JSON.stringify(values), minLength: 2, maxLength: 2 });
  const attempt = fc.integer({ min: 1, max: 6 });
  fc.assert(
    fc.property(
      two,
      closeText,
      fc.constantFrom(undefined, "results"),
      attempt,
      fc.nat(maxNames - 1),
      ([one, other], job, given, made, tries) => {
        const name = nameOfTry(artifactName({ given, job, leg: leg(other), attempt: made }), tries);
        assert.deepEqual(attemptsByName({ given, job, leg: leg(one) }, 6)(name), [], name);
      },
    ),
  );
});

test("no name of another job is known as this one's, as long as neither ends like a number", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "-", "_"), minLength: 1, maxLength: 5 }).map((text) => `${text}x`);
  fc.assert(
    fc.property(word, word, fc.integer({ min: 1, max: 9 }), fc.nat(maxNames - 1), (one, other, made, tries) => {
      fc.pre(one !== other);
      assert.deepEqual(attemptsByName({ job: one }, 9)(nameOfTry(artifactName({ job: other, attempt: made }), tries)), []);
    }),
  );
});

test("a leg has one key, however its JSON is laid out, and none outside of a matrix", () => {
  assert.equal(legKey('{"a":1}'), legKey('{\n  "a": 1\n}'));
  assert.notEqual(legKey('{"a":1}'), legKey('{"a":"1"}'));
  for (const none of [undefined, "", "null", "{}", "${{ toJSON(matrix) }}"]) assert.equal(legKey(none), undefined);
});
