// `npm test [-- pattern…] [--test-name-pattern=…]`: every test through Node's own runner, on the TypeScript sources; but those with the
// agents' real programs, which fetch more than a gigabyte, only where they are named (`npm run test:agents`).
// Tests that need a Docker engine or act skip with a reason where there is none; with EVALBATCH_REQUIRE_DOCKER=1 or
// EVALBATCH_REQUIRE_ACT=1 such a skip is a failure. The last lines are the runner's closing lines, after the details of what
// failed.
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve, sep } from "node:path";
import { finished } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { brokenPromises, needsAgents, renderSkips, type Skip } from "./test/skips.ts";

const root = join(import.meta.dirname, "..");
const slashes = (path: string) => path.split(sep).join("/");
process.chdir(root);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "test-name-pattern": { type: "string", multiple: true }, concurrency: { type: "string" } },
});
const patterns = positionals.length > 0 ? positionals : ["test/**/*.test.ts"];
const found = [...new Set(patterns.flatMap((pattern) => globSync(pattern)))].sort();
const files = found.filter((file) => positionals.length > 0 || !needsAgents({ file: slashes(file) })).map((file) => resolve(file));
if (files.length === 0) {
  process.stderr.write(`no test file matches ${patterns.join(" ")}\n`);
  process.exit(1);
}

// Hundreds of processes load the same modules: reading what one has compiled halves the start of the others.
const compileCache = mkdtempSync(join(tmpdir(), "evalbatch-compile-cache-"));
process.env.NODE_COMPILE_CACHE = compileCache;

const skips: Skip[] = [];
const closing: string[] = [];
let failures = 0;

const stream = run({
  files,
  // Two cores have to do: Docker tests wait for the engine most of the time.
  concurrency: Number(values.concurrency ?? 2),
  // Of a whole file: one that hangs must not take the others with it.
  timeout: 15 * 60_000,
  ...(values["test-name-pattern"] === undefined ? {} : { testNamePatterns: values["test-name-pattern"] }),
});
stream.on("test:fail", () => {
  failures += 1;
});
stream.on("test:pass", (event) => {
  if (event.skip === undefined || event.skip === false) return;
  const file = slashes(relative(root, event.file ?? ""));
  skips.push({ file, name: event.name, reason: typeof event.skip === "string" && event.skip !== "" ? event.skip : "no reason given" });
});
stream.on("test:summary", ({ file, counts, duration_ms }) => {
  if (file !== undefined) return;
  const { tests, suites, passed, cancelled, skipped, todo } = counts;
  const failed = tests - passed - cancelled - skipped - todo;
  const lines = { tests, suites, pass: passed, fail: failed, cancelled, skipped, todo, duration_ms: Math.round(duration_ms) };
  closing.push(...Object.entries(lines).map(([name, value]) => `${name} ${value}`));
});
const report = stream.compose(spec());
report.pipe(process.stdout, { end: false });
await finished(report, { writable: false });
rmSync(compileCache, { recursive: true, force: true });

const lines = renderSkips(skips);
const broken = brokenPromises(skips, process.env);
lines.push(...broken);
if (closing.length === 0) lines.push("the test runner ended without a summary");
process.stdout.write(`\n${[...lines, ...closing.map((line) => `# ${line}`)].join("\n")}\n`);
process.exitCode = failures > 0 || broken.length > 0 || closing.length === 0 ? 1 : 0;
