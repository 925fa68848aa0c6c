import assert from "node:assert/strict";
import test from "node:test";
import { doors, importsOf, type SourceFile, sourceFiles, stationOf } from "./source-files.ts";

// Data flows one way: inputs -> plan -> run (sandbox, agents, criteria) -> results -> report -> github -> gate.
// For each folder of src/: which others it may import (types as well). A new edge is a decision about the house, so it
// is made here.
const mayImport: Readonly<Record<string, readonly string[]>> = {
  clock: [],
  errors: [],
  timer: [],
  version: [],
  schema: [],
  python: ["errors"],
  untrusted: ["errors"],
  // A criterion sees the sandbox interface, never a driver (second test).
  criteria: ["errors", "python", "sandbox", "schema"],
  plan: ["criteria", "errors", "python", "schema"],
  sandbox: ["clock", "errors", "kits", "plan", "schema", "timer", "untrusted"],
  kits: ["errors", "plan", "results", "untrusted"],
  agents: ["errors", "kits", "plan", "results", "sandbox", "schema", "untrusted"],
  results: ["errors", "plan", "schema", "version"],
  report: ["errors", "results", "untrusted"],
  // Numbers look the same while a run goes on and in its reports.
  progress: ["errors", "report", "results", "untrusted"],
  run: ["agents", "clock", "criteria", "errors", "kits", "plan", "results", "sandbox", "schema", "timer", "untrusted", "version"],
  github: ["errors", "kits", "plan", "progress", "report", "results", "schema", "untrusted", "version"],
  commands: [
    "agents",
    "clock",
    "criteria",
    "errors",
    "github",
    "kits",
    "plan",
    "progress",
    "report",
    "results",
    "run",
    "sandbox",
    "untrusted",
    "version",
  ],
};

/** Packages and Node modules that only one place may touch. */
const onlyFrom: readonly { readonly what: RegExp; readonly place: string; readonly why: string }[] = [
  { what: /^@actions\//, place: "src/github/", why: "only github/ knows the runner" },
  { what: /^node:https?$/, place: "src/sandbox/docker/", why: "only sandbox/docker/ talks to the engine" },
];

const files = sourceFiles();

function violations(check: (file: SourceFile, imported: string) => string | undefined): string[] {
  return files.flatMap((file) =>
    importsOf(file).flatMap((imported) => {
      const problem = check(file, imported);
      return problem === undefined ? [] : [`${file.path} imports ${imported}: ${problem}`];
    }),
  );
}

test("every folder imports only the folders that it may", () => {
  const found = violations((file, imported) => {
    if (doors.has(file.path) || !imported.startsWith("src/")) return undefined;
    const [from, to] = [stationOf(file.path), stationOf(imported)];
    const allowed = mayImport[from];
    if (allowed === undefined) return `say in mayImport what src/${from} may import`;
    return from === to || allowed.includes(to) ? undefined : `src/${from} may not know src/${to}`;
  });
  assert.deepEqual(found, []);
});

test("nobody imports a door", () => {
  assert.deepEqual(
    violations((_file, imported) => (doors.has(imported) ? "doors are run, not imported" : undefined)),
    [],
  );
});

test("criteria and agents see the sandbox interface and no driver", () => {
  const found = violations((file, imported) => {
    const blind = ["criteria", "agents"].includes(stationOf(file.path));
    return blind && /^src\/sandbox\/(?:docker|tempdir)\//.test(imported) ? "a driver is chosen by run/ and commands/ only" : undefined;
  });
  assert.deepEqual(found, []);
});

test("packages of one place are imported from that place only", () => {
  const found = violations((file, imported) => {
    const rule = onlyFrom.find(({ what, place }) => what.test(imported) && !file.path.startsWith(place));
    return rule?.why;
  });
  assert.deepEqual(found, []);
});

test("planning touches nothing but the file system", () => {
  const found = violations((file, imported) =>
    stationOf(file.path) === "plan" && /^node:(?:child_process|https?|http2|net|tls|dns|dgram|worker_threads|cluster)$/.test(imported)
      ? "a plan is read from files"
      : undefined,
  );
  assert.deepEqual(found, []);
});
