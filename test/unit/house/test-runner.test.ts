import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { needsAct, needsAgents, needsEngine, renderSkips } from "../../../scripts/test/skips.ts";
import { root } from "./source-files.ts";

const skip = (reason: string, file = "test/unit/a.test.ts") => ({ file, name: "a", reason });

test("a test that was skipped for want of an engine is told from one that this engine cannot do", () => {
  assert.equal(needsEngine(skip("no Docker engine answers")), true);
  assert.equal(needsEngine(skip("whatever", "test/docker/a.test.ts")), true);
  assert.equal(needsEngine(skip("this engine has no BuildKit", "test/docker/a.test.ts")), false);
  assert.equal(needsEngine(skip("the engine has other files than this machine", "test/docker/a.test.ts")), false);
  assert.equal(needsEngine(skip("the engine does not answer", "test/docker/a.test.ts")), true);
  assert.equal(needsEngine(skip("the corpus is not here")), false);
});

test("a test that was skipped for want of act is told from others, and everything in its folder counts", () => {
  assert.equal(needsAct(skip("no act: there is none on PATH")), true);
  assert.equal(needsAct(skip("no Docker engine answers", "test/act/a.test.ts")), true);
  assert.equal(needsAct(skip("no action is bundled")), false);
});

test("a test of real agents is told by its folder, and one that was left out because it is long breaks no promise", () => {
  assert.equal(needsAgents(skip("no engine for the agents", "test/agents/a.test.ts")), true);
  assert.equal(needsAgents(skip("long; a variable runs it", "test/agents/a.test.ts")), false);
  assert.equal(needsAgents({ file: "test/agents/a.test.ts" }), true);
  assert.equal(needsAgents(skip("no engine for the agents")), false);
});

test("skips are told by reason, with names of the first", () => {
  const skips = ["a", "b", "c", "d"].map((name) => ({ file: "t.ts", name, reason: "no engine" }));
  assert.deepEqual(renderSkips([...skips, { file: "u.ts", name: "e", reason: "no corpus" }]), [
    "4 skipped (no engine): t.ts: a, t.ts: b, t.ts: c, and 1 more",
    "1 skipped (no corpus): u.ts: e",
  ]);
});

/** Runs the script on one test file with this text. */
function runScript(text: string, env: Readonly<Record<string, string>>) {
  const dir = mkdtempSync(join(tmpdir(), "evalbatch-runner-"));
  try {
    const file = join(dir, "sample.test.mjs");
    writeFileSync(file, `import test from "node:test";\n${text}\n`);
    // The runner marks its children, and a marked process would not start tests of its own.
    const { NODE_TEST_CONTEXT: _, ...inherited } = process.env;
    const result = spawnSync(process.execPath, ["scripts/test.ts", file], { cwd: root, encoding: "utf8", env: { ...inherited, ...env } });
    return { status: result.status, lines: result.stdout.trimEnd().split("\n") };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

test("the closing lines come last and the exit code is 0 where everything passed", () => {
  const { status, lines } = runScript('test("passes", () => {});', {});
  assert.equal(status, 0);
  assert.deepEqual(lines.slice(-8, -1), ["# tests 1", "# suites 0", "# pass 1", "# fail 0", "# cancelled 0", "# skipped 0", "# todo 0"]);
});

test("a failing test gives exit code 1", () => {
  const { status, lines } = runScript('test("fails", () => { throw new Error("no"); });', {});
  assert.equal(status, 1);
  assert.ok(lines.includes("# fail 1"));
  assert.ok(lines.some((line) => line.includes("Error: no")));
});

test("a skipped Docker test is a failure where an engine is required", () => {
  const text = 'test("needs it", { skip: "no Docker engine answers" }, () => {});';
  assert.equal(runScript(text, { EVALBATCH_REQUIRE_DOCKER: "" }).status, 0);
  assert.equal(runScript(text, { EVALBATCH_REQUIRE_DOCKER: "1" }).status, 1);
});

test("a test that was skipped for want of act is a failure where act is required", () => {
  const text = 'test("needs it", { skip: "no act: there is none on PATH" }, () => {});';
  assert.equal(runScript(text, { EVALBATCH_REQUIRE_ACT: "" }).status, 0);
  const { status, lines } = runScript(text, { EVALBATCH_REQUIRE_ACT: "1" });
  assert.equal(status, 1);
  assert.ok(lines.includes("EVALBATCH_REQUIRE_ACT=1, but 1 tests were skipped for want of act"));
});
