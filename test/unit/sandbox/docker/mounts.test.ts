import assert from "node:assert/strict";
import test from "node:test";
import { InputError } from "../../../../src/errors.ts";
import { expandVariables } from "../../../../src/sandbox/docker/expand.ts";
import { parseMounts } from "../../../../src/sandbox/docker/mounts.ts";

const here = import.meta.dirname;
const env = { HOME: here, DATA: here, TARGET: "/data" };

test("a mount is read-only unless it says rw; ~ and variables are expanded on both sides", () => {
  assert.deepEqual(parseMounts([`${here}:/a`, "~:/b:rw", "$DATA:${TARGET}/c/:ro"], env), [
    { source: here, target: "/a", readOnly: true },
    { source: here, target: "/b", readOnly: false },
    { source: here, target: "/data/c/", readOnly: true },
  ]);
});

test("all bad mounts are told at once", () => {
  const bad = [
    `${here}/missing:/a`,
    "relative:/a",
    `${here}:relative`,
    `${here}:/work`,
    `${here}:/work/deep`,
    `${here}:/evalbatch/x`,
    `${here}:/`,
    `${here}:/a/../work`,
    `${here}:/proc/x`,
    `${here}:/a:rx`,
    "$NOPE:/a",
    "nonsense",
  ];
  assert.throws(
    () => parseMounts(bad, env),
    (error) => {
      assert.ok(error instanceof InputError);
      assert.deepEqual(
        error.issues.map((issue) => bad.findIndex((text) => issue.message.includes(`'${text}'`))),
        bad.map((_text, index) => index),
      );
      return true;
    },
  );
  assert.equal(parseMounts([`${here}:/workspace`], env).length, 1);
});

test("a variable that is not set is a problem, never an empty string", () => {
  assert.deepEqual(expandVariables("a$NOPE-${DATA}", { DATA: "d" }), { text: "a$NOPE-d", missing: ["NOPE"] });
  assert.deepEqual(expandVariables("5$ and ~x", {}), { text: "5$ and ~x", missing: [] });
  assert.deepEqual(expandVariables("~/x", {}, { tilde: false }), { text: "~/x", missing: [] });
});
