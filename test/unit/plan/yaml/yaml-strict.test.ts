import assert from "node:assert/strict";
import test from "node:test";
import { parseYaml } from "../../../../src/plan/yaml/yaml.ts";

function problemsOf(text: string): string[] {
  const result = parseYaml(Buffer.from(text), "a.yaml");
  assert.ok(result.kind === "invalid", "it is read");
  return result.issues.map(({ line, column, code }) => `${line}:${column} ${code}`);
}

test("what the parser says after it has lost its way is not told", () => {
  const text = "task_id: a\nagent: {type: command, command: while [ -d x ]; do sleep 1; done}\nsandbox: {python: null}\ntags: [a]\n";
  assert.deepEqual(problemsOf(text), ["2:39 yaml-syntax"]);
});

test("faults before that are all told", () => {
  assert.deepEqual(problemsOf("a: 1\n\tb: 2\nc: [1, 2\nd: }\ne: }\n"), ["2:1 yaml-tab", "4:1 yaml-syntax", "4:4 yaml-syntax"]);
});
