import assert from "node:assert/strict";
import test from "node:test";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { withEnvironment } from "../../../../src/results/fingerprint/with-environment.ts";
import { fingerprintWith, foreignFile, keyOf, linesOf, parsed, reread } from "./stamps.ts";

const early = { evalbatch: "0.4.0", node: "v24.1.0" };
const at = (found: Readonly<Record<string, string>>) => withEnvironment(fingerprintWith({ environment: early }), found);

test("what the rows met is known beside what was known before, and the Node of a sandbox is not the host's", () => {
  assert.deepEqual(at({ engine: "28.0.1", node: "20.0.0", evalbatch: "0.4.0" }).own?.madeIn.environment, {
    ...early,
    engine: "28.0.1",
    "sandbox node": "20.0.0",
  });
  assert.deepEqual(linesOf(at({ node: "20.0.0" }), at({ node: "22.0.0" })), ["sandbox node: 20.0.0 → 22.0.0"]);
});

test("rows kept from an earlier execution keep what they met", () => {
  const first = reread(at({ engine: "27.0.0" }));
  const resumed = withEnvironment(
    keepStamps(fingerprintWith({ environment: early }), first, (key) => key === keyOf("a")),
    { engine: "28.0.1" },
  );
  assert.deepEqual(linesOf(reread(resumed), at({ engine: "28.0.1" })), ["engine: 27.0.0 → 28.0.1"]);
});

test("a fingerprint of coder_eval stays as it is", () => {
  const foreign = parsed(foreignFile("0.12.16.json"));
  assert.equal(withEnvironment(foreign, { engine: "28.0.1" }), foreign);
});
