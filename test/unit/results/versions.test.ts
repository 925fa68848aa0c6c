import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { compareVersions, createReportedVersions, isVersion, reconcileVersions } from "../../../src/results/versions.ts";

function reported(...infos: Record<string, unknown>[]) {
  const versions = createReportedVersions();
  for (const info of infos) versions.add(info);
  return versions;
}

test("1.10 comes after 1.9, and a pre-release before its release", () => {
  assert.deepEqual(["1.10.0", "v1.9.0", "1.9.0-rc.1", "1.9.0", "0.12.16", "0.12.2"].sort(compareVersions), [
    "0.12.2",
    "0.12.16",
    "1.9.0-rc.1",
    "1.9.0",
    "v1.9.0",
    "1.10.0",
  ]);
});

test("the order of versions is an order", () => {
  const version = fc.stringMatching(/^v?\d{1,2}\.\d{1,2}\.\d{1,2}(-[a-z]\d)?$/);
  fc.assert(
    fc.property(version, version, version, (a, b, c) => {
      assert.equal(Math.sign(compareVersions(a, b)), -Math.sign(compareVersions(b, a)) || 0);
      if (compareVersions(a, b) <= 0 && compareVersions(b, c) <= 0) assert.ok(compareVersions(a, c) <= 0);
    }),
  );
});

test("only what looks like a version is one", () => {
  assert.deepEqual(["1.2.3", "v1.2.3-beta", "unknown", "1.2", "Not Found", 3].map(isVersion), [true, true, false, false, false, false]);
});

test("the versions that tasks saw replace the host's, joined when they differ, with a warning", () => {
  const { info, warnings } = reconcileVersions(
    { cli_version: "unknown", tool_plugins: { host: "9.9.9" } },
    reported(
      { cli_version: "1.10.0", tool_plugins: { b: "1.0.0", a: "2.0.0" } },
      { cli_version: "1.9.0", tool_plugins: { b: "1.1.0" } },
      { cli_version: "unknown" },
    ),
  );
  assert.deepEqual(info, { cli_version: "1.9.0 | 1.10.0", tool_plugins: { a: "2.0.0", b: "1.0.0 | 1.1.0" } });
  assert.deepEqual(Object.keys(info.tool_plugins ?? {}), ["a", "b"]);
  assert.equal(warnings.length, 2);
  assert.match(warnings[1] ?? "", /plugins: b$/);
});

test("where no task reported anything the host's versions stay", () => {
  const host = { cli_version: "1.0.0", tool_plugins: { host: "9.9.9" } };
  assert.deepEqual(reconcileVersions(host, reported({ cli_version: "unknown", tool_plugins: {} }, { tool_plugins: { x: "" } })), {
    info: host,
    warnings: [],
  });
});

test("results written by other versions of the framework are warned of once", () => {
  const { warnings } = reconcileVersions(
    { coder_eval: "0.8.2" },
    reported({ coder_eval: "0.8.2" }, { coder_eval: "0.10.0" }, { coder_eval: "0.9.0" }),
  );
  assert.deepEqual(warnings, ["some results were written by coder_eval 0.9.0 | 0.10.0, the run by 0.8.2"]);
});
