import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { expandHome, expandPath, expandText, posixPath } from "../../../../src/plan/expand-path.ts";
import { mapLeaves } from "../../../../src/plan/paths/map-leaves.ts";
import { pathFields, stepsOf } from "../../../../src/plan/paths/path-fields.ts";

test("every path field says what it is relative to, and what is looked for is told when it is missing", () => {
  assert.equal(new Set(pathFields.map(({ field }) => field)).size, pathFields.length);
  for (const { field, base, expands, expandedAt, stored, wanted, missing } of pathFields) {
    assert.equal(wanted === undefined, missing === undefined, field);
    assert.equal(expands, expandedAt !== "never", field);
    // What lies in the sandbox is not there yet.
    if (base === "sandbox") assert.equal(stored, "as written", field);
  }
});

test("the steps of a field name lists and mappings", () => {
  assert.deepEqual(stepsOf("sandbox.template_sources[].path", 1), ["template_sources", "[]", "path"]);
  assert.deepEqual(stepsOf("sandbox.docker.build.args{}", 2), ["build", "args", "{}"]);
});

const reverse = async (text: string): Promise<string> => [...text].toReversed().join("");

test("replaces texts at a place and shares everything else", async () => {
  const value = { a: [{ path: "xy" }, { path: 3 }, "no"], b: { deep: {} } };
  const mapped = await mapLeaves(value, ["a", "[]", "path"], [], reverse);
  assert.deepEqual(mapped, { a: [{ path: "yx" }, { path: 3 }, "no"], b: { deep: {} } });
  assert.equal(Object.hasOwn(Object(mapped), "b") && Reflect.get(Object(mapped), "b"), value.b);
  assert.equal(await mapLeaves(value, ["c", "[]", "path"], [], reverse), value);
});

test("tells the place of every text that it asks about", async () => {
  const asked: string[] = [];
  const note = async (text: string, path: readonly PropertyKey[]): Promise<string> => {
    asked.push(`${path.join(".")}=${text}`);
    return text;
  };
  await mapLeaves({ args: { A: "1", B: "2" } }, ["args", "{}"], ["docker"], note);
  assert.deepEqual(asked, ["docker.args.A=1", "docker.args.B=2"]);
});

test("leaves any value alone that has no text at the place", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything(), fc.array(fc.constantFrom("[]", "{}", "a")), async (value, steps) => {
      assert.equal(await mapLeaves(value, steps, [], async (text) => text), value);
    }),
    // A number that is not equal to itself.
    { examples: [[[{ "": Number.NaN }], ["[]", "{}"]]] },
  );
});

const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,8}$/);

test("a text of variables is made of their values, whatever these hold", () => {
  fc.assert(
    fc.property(fc.dictionary(name, fc.string(), { minKeys: 1 }), (env) => {
      const names = Object.keys(env);
      const expanded = expandText(names.map((each) => `\${${each}}-`).join(""), env);
      assert.deepEqual(expanded, { kind: "text", text: names.map((each) => `${env[each]}-`).join("") });
    }),
  );
});

test("a variable that is not set is told by name, one that is empty is not", () => {
  assert.deepEqual(expandText("$A/$B", { A: "" }), { kind: "undefined", variable: "B" });
  assert.deepEqual(expandText("$A/b", { A: "" }), { kind: "text", text: "/b" });
  assert.deepEqual(expandText("$toString", {}), { kind: "undefined", variable: "toString" });
  for (const text of ["$", "a$", "$1", "${", "${}", "${row.x}", "$$", "%A%"])
    assert.deepEqual(expandText(text, {}), { kind: "text", text });
});

test("~ is the home directory at the beginning only, and of nobody else", () => {
  const env = { HOME: "/home/u", X: "~/in-variable" };
  const paths = ["~", "~/a", "$X", "a~", "a/~", "~u/a"].map((text) => expandPath(text, "/base", env));
  assert.deepEqual(
    paths.map((path) => (path.kind === "path" ? path.path : path)),
    ["/home/u", "/home/u/a", "/home/u/in-variable", "/base/a~", "/base/a/~", "/base/~u/a"],
  );
  assert.deepEqual(expandHome("~/a", {}), { kind: "undefined", variable: "HOME" });
  assert.deepEqual(expandHome("~/a", { USERPROFILE: "/u" }), { kind: "text", text: "/u/a" });
});

test("stored paths have / on every system", () => {
  assert.equal(posixPath("C:\\a\\b", "\\"), "C:/a/b");
  assert.equal(posixPath("/a/b\\c", "/"), "/a/b\\c");
});
