import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { defaultEnvPassthrough } from "../../../src/plan/schema/docker-schema.ts";
import { isDenied, selectEnvironment } from "../../../src/sandbox/environment.ts";

const denied = [
  ...[
    "ACTIONS_RUNTIME_TOKEN",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
    "ACTIONS_X",
    "INPUT_TOKEN",
    "INPUT_GITHUB-TOKEN",
    "RUNNER_TEMP",
    "STATE_x",
  ],
  ...["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"],
  ...["NODE_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "PATH"],
];

for (const name of denied) {
  test(`${name} reaches no task, even when named, in any case of letters, and its value is never told`, () => {
    for (const spelt of [name, name.toLowerCase()]) {
      const { env, warnings } = selectEnvironment({ [spelt]: "canary" }, [spelt]);
      assert.deepEqual(env, {});
      assert.equal(warnings.length, 1);
      assert.ok(warnings[0]?.includes(spelt) && !warnings[0].includes("canary"));
    }
  });
}

test("the default list gives what is set of it, without the host's HOME", () => {
  const host = { ...Object.fromEntries(defaultEnvPassthrough.map((name) => [name, `value of ${name}`])), SECRET: "no", GITHUB_TOKEN: "no" };
  const { env, warnings } = selectEnvironment(host, defaultEnvPassthrough);
  assert.deepEqual(Object.keys(env).sort(), defaultEnvPassthrough.filter((name) => name !== "HOME").toSorted());
  assert.deepEqual(warnings, []);
});

test("only named variables come, with their values, and none that is denied", () => {
  const name = fc.oneof(
    fc.constantFrom(...denied, "A", "B", "HOME", "__proto__", "constructor", "toString"),
    fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,12}$/),
  );
  const host = fc.array(fc.tuple(name, fc.option(fc.string(), { nil: undefined }))).map((pairs) => Object.fromEntries(pairs));
  fc.assert(
    fc.property(host, fc.array(name), (hostEnv, names) => {
      const { env } = selectEnvironment(hostEnv, names);
      for (const [key, value] of Object.entries(env)) {
        assert.ok(names.includes(key) && !isDenied(key) && typeof value === "string");
        assert.equal(value, Object.hasOwn(hostEnv, key) ? hostEnv[key] : undefined);
      }
      for (const key of names) {
        if (Object.hasOwn(hostEnv, key) && hostEnv[key] !== undefined && !isDenied(key) && key !== "HOME")
          assert.ok(Object.hasOwn(env, key), key);
      }
    }),
  );
});
