import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";
import { compilePythonRegex, PythonRegexError, RegexTimeoutError, searchPythonRegex } from "../../../src/python/regex.ts";

const search = (pattern: string, subject: string, flags = 0) => searchPythonRegex(compilePythonRegex(pattern, flags), subject);

/** Needs longer than the age of the universe. */
const runaway = compilePythonRegex("(x+x+)+y", 0);
const hostile = "x".repeat(5000);

test("a pattern that runs away is cut off, while the event loop goes on", async () => {
  let ticks = 0;
  const clock = setInterval(() => {
    ticks += 1;
  }, 10);
  await assert.rejects(searchPythonRegex(runaway, hostile, { timeoutMs: 300 }), (error) => {
    assert.ok(error instanceof RegexTimeoutError);
    assert.equal(error.message, "regular expression took longer than 0.3 s on this text");
    assert.equal(error.pattern, "(x+x+)+y");
    return true;
  });
  clearInterval(clock);
  assert.ok(ticks > 3);
  assert.equal((await search("b+", "abbc"))?.text, "bb");
});

test("searches that wait behind a runaway one get their own full time", async () => {
  const quick = (pattern: string) => searchPythonRegex(compilePythonRegex(pattern, 0), "abc", { timeoutMs: 500 });
  const slow = () => searchPythonRegex(runaway, hostile, { timeoutMs: 600 });
  const results = await Promise.allSettled([slow(), quick("b"), slow(), quick("c")]);
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value?.text : result.reason.name)),
    ["RegexTimeoutError", "b", "RegexTimeoutError", "c"],
  );
});

test("an abort ends a search that runs, one that waits, and one that is to begin, with its reason", async () => {
  const running = new AbortController();
  const waiting = new AbortController();
  const first = searchPythonRegex(runaway, hostile, { timeoutMs: 60_000, signal: running.signal });
  const second = searchPythonRegex(runaway, hostile, { timeoutMs: 60_000, signal: waiting.signal });
  const third = search("c", "abc");
  setTimeout(() => waiting.abort(new Error("second")), 20);
  await assert.rejects(second, { message: "second" });
  running.abort(new Error("first"));
  await assert.rejects(first, { message: "first" });
  assert.equal((await third)?.index.start, 2);
  await assert.rejects(searchPythonRegex(runaway, "", { signal: AbortSignal.abort(new Error("early")) }), { message: "early" });
});

test("backtracking has a limit on memory", async () => {
  const error = await searchPythonRegex(compilePythonRegex("(?:(a)|b)*c", 0), "ab".repeat(5_000_000), { timeoutMs: 60_000 }).catch(
    (reason) => reason,
  );
  assert.ok(error instanceof RegexTimeoutError);
  assert.equal(error.limit, "memory");
});

test("large texts, NUL, lone surrogates and characters beyond U+FFFF are searched as they are", async () => {
  const large = await search("needle(?=\n)$", `${"straw ".repeat(300_000)}needle\n`);
  assert.deepEqual(large?.index, { start: 1_800_000, end: 1_800_006 });
  assert.deepEqual(await search("(\0)(b)?", "😀a\0"), {
    text: "\0",
    index: { start: 2, end: 3 },
    groups: ["\0", undefined],
    namedGroups: {},
  });
  assert.equal((await search("[^a]", "a\ud83d"))?.text, "\ud83d");
  assert.equal((await search("^.$", "😀"))?.text, "😀");
  assert.equal(await search("\ude00", "😀"), undefined);
});

test("an idle search thread does not keep the process alive", () => {
  const module = JSON.stringify(join(import.meta.dirname, "../../../src/python/regex.ts"));
  const code = `import { compilePythonRegex as c, searchPythonRegex as s } from ${module};
    console.log((await s(c("b+", 0), "abb")).text);
    await s(c("(x+x+)+y", 0), "x".repeat(5000), { timeoutMs: 50 }).catch((error) => console.log(error.name));
    console.log((await s(c("c", 0), "abc")).text);`;
  const child = spawnSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8", timeout: 20_000 });
  assert.equal(child.stdout, "bb\nRegexTimeoutError\nc\n", child.stderr);
  assert.equal(child.status, 0);
});

test("an error knows its kind, its place and Python's class", () => {
  assert.throws(() => compilePythonRegex("ab\n[", 0), {
    name: "re.error",
    kind: "invalid",
    position: 3,
    message: "unterminated character set at position 3 (line 2, column 1)",
  });
  assert.throws(() => compilePythonRegex("a", 4), { name: "ValueError", message: "cannot use LOCALE flag with a str pattern" });
});

test("groups nest as deep as in Python, and then end in its error instead of ours", async () => {
  const nested = (depth: number) => `${"(".repeat(depth)}a${")".repeat(depth)}`;
  assert.equal((await search(nested(480), "ba"))?.groups.length, 480);
  for (const depth of [481, 100_000]) {
    assert.throws(
      () => compilePythonRegex(nested(depth), 0),
      (error) => error instanceof PythonRegexError && error.pythonType === "RecursionError",
    );
  }
});

test("a pattern of many parts compiles and matches", async () => {
  const words = Array.from({ length: 20_000 }, (_, i) => `word${i}`);
  assert.equal((await search(words.join("|"), "a word19999 b"))?.text, "word1");
  assert.equal((await search(`(?:${words.toReversed().join("|")})$`, "a word19999"))?.text, "word19999");
  assert.equal((await search(`(?i)${"[a-z]".repeat(500)}`, "Q".repeat(500)))?.index.end, 500);
});
