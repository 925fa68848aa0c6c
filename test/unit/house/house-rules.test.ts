import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import test from "node:test";
import { doors, root, sourceFiles, withoutComments } from "./source-files.ts";

const maxLines = 250;

/** Files without code: tables, which are read by nobody from top to bottom. */
const tables: ReadonlySet<string> = new Set(["src/python/unicode-tables.ts"]);

test("source files stay under 250 lines", () => {
  const long = sourceFiles()
    .filter((file) => !tables.has(file.path))
    .map((file) => ({ path: file.path, lines: file.text.split("\n").length - 1 }))
    .filter((file) => file.lines > maxLines);
  assert.deepEqual(long, []);
});

test("files are named in kebab-case, and none is a drawer for odds and ends", () => {
  const bad = sourceFiles().filter(({ path }) => {
    const name = basename(path);
    return !/^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(name) || /^(?:utils?|helpers?|common|misc)\.ts$/.test(name);
  });
  assert.deepEqual(
    bad.map((file) => file.path),
    [],
  );
});

test("importing any module reads no environment variable, listens to nothing and leaves nothing running", () => {
  const modules = sourceFiles()
    .map((file) => file.path)
    .filter((path) => !doors.has(path));
  const probe = join(import.meta.dirname, "import-probe.ts");
  const result = spawnSync(process.execPath, [probe, root, ...modules], { encoding: "utf8", timeout: 120_000 });
  assert.equal(result.stderr, "");
  assert.equal(result.status, 0, `the probe did not end by itself (${result.signal})`);
  assert.deepEqual(JSON.parse(result.stdout), { imported: modules.length, findings: [] });
});

/** Who else may touch one of them, and which. */
const exceptions: Readonly<Record<string, RegExp>> = {
  // A step fails by its exit code, together with the error that it prints.
  "src/github/commands.ts": /\bprocess\.exitCode\b/g,
};

test("only the doors touch the streams, arguments, environment and exit of the process", () => {
  const pattern = /\bprocess\.(?:exit|exitCode|stdout|stderr|stdin|argv|env|on|once|chdir|cwd)\b|\bconsole\./;
  const found = sourceFiles()
    .filter((file) => !doors.has(file.path))
    .flatMap((file) =>
      withoutComments(file.text)
        .replace(exceptions[file.path] ?? /$^/, "")
        .split("\n")
        .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : [])),
    );
  assert.deepEqual(found, []);
});

test("the lockfile names no registry host, so that any mirror can serve it", () => {
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  assert.deepEqual(lock.match(/"resolved": "[^"]*"/g) ?? [], []);
});

test("dependencies are pinned to one exact version", () => {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const loose: string[] = [];
  for (const [key, value] of Object.entries(Object(manifest))) {
    if (!/ependencies$/.test(key)) continue;
    for (const [name, version] of Object.entries(Object(value))) if (!/^\d+\.\d+\.\d+$/.test(String(version))) loose.push(name);
  }
  assert.deepEqual(loose, []);
});

const needJavaScript = [
  // Run on whatever Node there is, which may know no TypeScript: a user's, to say so, and a runner's.
  "scripts/bundle/cli-launcher.js",
  "scripts/ci/expect.js",
  // An action's own file, started by act as such.
  "test/act/download-artifact/main.js",
];

test("tests, scripts and benchmarks are written in the same language as the sources", () => {
  assert.deepEqual(
    globSync("{src,test,scripts,bench}/**/*.{js,mjs,cjs}", { cwd: root, exclude: ["test/fixtures/**", ...needJavaScript] }),
    [],
  );
});
