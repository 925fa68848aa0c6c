import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { InputError } from "../../../src/errors.ts";
import { checkAgentVersions, parseAgentVersions, versionFor } from "../../../src/kits/agent-versions.ts";

const read = (text: string, ...more: string[]) =>
  more.reduce(
    (earlier, next) => {
      const parsed = parseAgentVersions(next, earlier);
      assert.ok(parsed.kind === "versions", JSON.stringify(parsed));
      return parsed.versions;
    },
    (() => {
      const parsed = parseAgentVersions(text);
      assert.ok(parsed.kind === "versions", JSON.stringify(parsed));
      return parsed.versions;
    })(),
  );
const problem = (text: string): string => {
  const parsed = parseAgentVersions(text);
  return parsed.kind === "problem" ? parsed.problem : "none";
};

test("a version alone is for the run's one agent, others are named", () => {
  assert.equal(versionFor(read("v2.1.300"), "claude-code"), "2.1.300");
  assert.equal(versionFor(read("latest"), "codex"), "latest");
  assert.equal(versionFor(read("Image"), "codex"), "image");
  assert.equal(versionFor(read("1.0.0"), "none"), undefined);
  assert.equal(versionFor(read("1.0.0"), "node"), undefined);
  const both = read("claude-code=2.1.300,\n codex = ^0.171.0");
  assert.deepEqual(
    ["claude-code", "codex", "pi"].map((type) => versionFor(both, type)),
    ["2.1.300", "^0.171.0", undefined],
  );
  assert.deepEqual(read("claude-code=2.1.300", "codex=0.171.0-beta.1").byType, { "claude-code": "2.1.300", codex: "0.171.0-beta.1" });
});

test("other names of an agent mean the same agent", () => {
  const versions = read("antigravity=0.61.0,claude=image");
  assert.equal(versionFor(versions, "gemini"), "0.61.0");
  assert.equal(versionFor(versions, "antigravity"), "0.61.0");
  assert.equal(versionFor(versions, "claude-code"), "image");
});

test("what is wrong is told with what is meant", () => {
  assert.match(problem("codx=1.0.0"), /'codx' is no agent with a version; did you mean 'codex'\?/);
  assert.match(problem("none=1.0.0"), /expected one of claude-code, codex, gemini/);
  assert.match(problem("codex"), /'codex' is an agent; write 'codex=VERSION'/);
  assert.match(problem("@openai/codex@0.171.0"), /did you mean 'codex=0\.171\.0'\?/);
  assert.match(problem("lastest"), /did you mean 'latest'\?/);
  assert.match(problem("codex=imge"), /did you mean 'image'\?/);
  assert.match(problem("codex=1.0,codex=2.0"), /'codex' is given a second time/);
  assert.match(problem("gemini=1.0,antigravity=2.0"), /'gemini' is given a second time/);
  assert.match(problem("1.0.0,2.0.0"), /expected TYPE=VERSION for each/);
  assert.match(problem("codex=--registry=http://evil"), /is no version of 'codex'/);
  assert.match(problem("codex="), /is no version of 'codex'/);
  assert.match(problem(" , "), /it is empty/);
});

test("one version for several agents is refused with how to name them", () => {
  const versions = read("1.0.0");
  checkAgentVersions(versions, ["codex", "none", "command", "codex"]);
  checkAgentVersions(versions, ["gemini", "antigravity"]);
  checkAgentVersions(read("codex=1.0.0"), ["codex", "pi"]);
  assert.throws(
    () => checkAgentVersions(versions, ["pi", "codex"]),
    (error) => error instanceof InputError && error.issues[0]?.hint === "name them: codex=1.0.0,pi=1.0.0",
  );
});

test("no text throws, and what is taken for a version is no flag, no path and no other package", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `codex=${text}`),
      ),
      (text) => {
        const parsed = parseAgentVersions(text);
        if (parsed.kind === "problem") return;
        const versions = [parsed.versions.only ?? "1", ...Object.values(parsed.versions.byType)];
        for (const version of versions) assert.match(version, /^[~^]?[0-9A-Za-z][0-9A-Za-z.+-]*$/);
      },
    ),
  );
});
