import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { builtInProbes, type EnvProbe, maxProbes, parseEnvProbe, parseEnvProbes } from "../../../src/plan/env-probes.ts";

const problemOf = (text: string, earlier: readonly EnvProbe[] = []): string => {
  const parsed = parseEnvProbe(text, earlier);
  return parsed.kind === "problem" ? parsed.problem : `(none, but ${JSON.stringify(parsed.probe)})`;
};

test("a probe is a name and everything after its first '='", () => {
  assert.deepEqual(parseEnvProbe("java=java -version 2>&1 | head -n 1"), {
    kind: "probe",
    probe: { name: "java", command: "java -version 2>&1 | head -n 1" },
  });
  assert.deepEqual(parseEnvProbe(" lib.so_v-1 = A=b env "), { kind: "probe", probe: { name: "lib.so_v-1", command: "A=b env" } });
});

test("what people write instead is told with what they meant", () => {
  assert.equal(problemOf("java"), "expected NAME=COMMAND, got 'java'; did you mean 'java=java --version'?");
  assert.equal(problemOf("java: java -version"), "expected NAME=COMMAND, got 'java: java -version'; did you mean 'java=java -version'?");
  assert.equal(problemOf("java -version"), "expected NAME=COMMAND, got 'java -version'; write for example 'java=java -version'");
  assert.equal(problemOf("java="), "the probe 'java' has no command; did you mean 'java=java --version'?");
  assert.match(problemOf("my tool=tool -V"), /^'my tool' is no name of a probe: .*; did you mean 'my-tool'\?$/);
  assert.match(problemOf("=tool -V"), /^'' is no name of a probe: [^;]*$/);
});

test("names that have a meaning already are refused, whatever their case", () => {
  for (const name of [...builtInProbes, "Python"]) assert.match(problemOf(`${name}=x`), /is asked of every sandbox anyway/);
  for (const name of ["cli_version", "tool_plugins", "installed_tools", "coder_eval", "evalbatch", "UV"]) {
    assert.match(problemOf(`${name}=x`), /already is a key of environment_info/);
  }
  assert.match(problemOf("claude-code=claude --version"), /is the name of an agent/);
});

test("names are unique, the number and the length of commands bounded", () => {
  const { probes, problems } = parseEnvProbes(["a=1", "b=2", "a=3", "nonsense", "nonsense"]);
  assert.deepEqual(probes, [
    { name: "a", command: "1" },
    { name: "b", command: "2" },
  ]);
  assert.deepEqual(problems, [
    "the probe 'a' is given a second time",
    "expected NAME=COMMAND, got 'nonsense'; did you mean 'nonsense=nonsense --version'?",
  ]);
  const many = parseEnvProbes(Array.from({ length: maxProbes + 5 }, (_, index) => `p${index}=x`));
  assert.equal(many.probes.length, maxProbes);
  assert.deepEqual(many.problems, [`more than ${maxProbes} probes; one command may print several versions on its line`]);
  assert.match(problemOf(`a=${"x".repeat(5000)}`), /more than 4000 characters/);
  assert.match(problemOf("a=x\0y"), /NUL/);
});

test("no text makes more than one line of a message, and a good name is found again as it was", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const parsed = parseEnvProbe(text);
      if (parsed.kind === "problem") assert.match(parsed.problem, /^[^\p{Cc}\u2028\u2029]+$/u);
      else assert.match(parsed.probe.name, /^[A-Za-z][A-Za-z0-9._-]{0,63}$/);
    }),
  );
});
