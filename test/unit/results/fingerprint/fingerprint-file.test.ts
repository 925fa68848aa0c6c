import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { buildFingerprint } from "../../../../src/results/fingerprint/build-fingerprint.ts";
import { stampDigestOf } from "../../../../src/results/fingerprint/fingerprint.ts";
import { readFingerprint, writeFingerprint } from "../../../../src/results/fingerprint/fingerprint-file.ts";
import { fingerprintChunks } from "../../../../src/results/fingerprint/fingerprint-text.ts";
import { keepStamps } from "../../../../src/results/fingerprint/keep-stamps.ts";
import { temporaryDirectory } from "../fixtures.ts";
import { facts, fingerprintWith, foreignFile, keyOf, parsed, reread, rowOf, runKeys, stampOf, textOf } from "./stamps.ts";

const file = "resume_fingerprint.json";

async function readText(text: string | Uint8Array) {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, file), text);
  return await readFingerprint(directory.path);
}

test("what is written is read again as it was, whatever the texts are", () => {
  fc.assert(
    fc.property(facts, (some) => {
      const fingerprint = buildFingerprint(some);
      assert.deepEqual(reread(fingerprint), fingerprint);
    }),
  );
});

test("so is the fingerprint of a run that kept rows of an earlier execution", () => {
  fc.assert(
    fc.property(facts, facts, fc.func(fc.boolean()), (some, others, isKept) => {
      const fingerprint = keepStamps(buildFingerprint(some), buildFingerprint(others), isKept);
      assert.deepEqual(reread(fingerprint), fingerprint);
      assert.equal(textOf(reread(fingerprint)), textOf(fingerprint));
    }),
  );
});

test("a file that coder_eval wrote is written again byte by byte", () => {
  for (const name of ["0.8.2-first.json", "0.12.16.json"]) assert.equal(textOf(parsed(foreignFile(name))), foreignFile(name));
});

test("our part stands among the sorted keys of coder_eval, which are as coder_eval writes them", () => {
  const fingerprint = fingerprintWith({ run: { ...runKeys, overrides: { "run_limits.max_turns": 3, "agent.model": "größer 😀" } } });
  const text = textOf(fingerprint);
  const written: unknown = JSON.parse(text);
  assert.ok(typeof written === "object" && written !== null);
  assert.deepEqual(Object.keys(written), [...Object.keys(runKeys), "evalbatch"].sort());
  assert.ok(
    text.includes('"overrides": {\n    "agent.model": "gr\\u00f6\\u00dfer \\ud83d\\ude00",\n    "run_limits.max_turns": 3\n  },'),
    text,
  );
});

test("a task of many replicates is one line, and equal settings stand there once", () => {
  const [one, other] = [stampOf(), stampOf(undefined, { initial_prompt: "cccc" })];
  const rows = [0, 1, 2].flatMap((index) => [rowOf("a", one, index), rowOf("b", other, index)]);
  const lines = textOf(fingerprintWith({ rows })).split("\n");
  assert.equal(lines.filter((line) => line.includes('"agent.model"')).length, 1);
  assert.deepEqual(
    lines.filter((line) => line.includes('"task_id"')).map((line) => line.trim()),
    [
      '{"variant_id":"default","task_id":"a","replicates":[0,1,2],"stamp":0},',
      '{"variant_id":"default","task_id":"b","replicates":[0,1,2],"stamp":1}',
    ],
  );
});

test("20,000 rows of a dataset take a line of their own each, are written in small pieces, and are read again", () => {
  const rows = Array.from({ length: 20_000 }, (_row, index) =>
    rowOf(`suite/${index}`, stampOf(undefined, { initial_prompt: index.toString(16).padStart(64, "0") })),
  );
  const fingerprint = fingerprintWith({ rows });
  const chunks = [...fingerprintChunks(fingerprint)];
  const text = chunks.join("");
  assert.ok(chunks.every(({ length }) => length < 1000));
  assert.ok(text.length < 300 * rows.length, `${text.length} bytes`);
  assert.equal(parsed(text).own?.rows.size, rows.length);
});

test("a file is written whole: the old one is replaced, and nothing stays beside it", async () => {
  using directory = temporaryDirectory();
  await writeFingerprint(directory.path, fingerprintWith());
  const later = fingerprintWith({ run: { ...runKeys, max_parallel: 7 } });
  await writeFingerprint(directory.path, later);
  assert.deepEqual(await readFingerprint(directory.path), { kind: "fingerprint", fingerprint: later });
  assert.deepEqual(readdirSync(directory.path), [file]);
  assert.equal(readFileSync(join(directory.path, file), "utf8"), textOf(later));
});

test("no file is no fingerprint, also where the run directory is none", async () => {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, "a-file"), "");
  for (const place of [directory.path, join(directory.path, "nowhere"), join(directory.path, "a-file")]) {
    assert.deepEqual(await readFingerprint(place), { kind: "none" });
  }
});

test("what is no fingerprint is a value with a reason on one line", async () => {
  const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
  const deep = `{"overrides": ${nested}}`;
  const deepSetting = `{"evalbatch": {"settings": [{"agent.model": {"value": ${nested}}}]}}`;
  const cases: readonly (readonly [string | Uint8Array, RegExp])[] = [
    ["", /^the file is empty$/],
    [" \n", /^the file is empty$/],
    ["[1, 2]", /^expected an object, found a list$/],
    ["null", /^expected an object, found null$/],
    ['"text"', /^expected an object, found a string$/],
    ['{"backend": "direct",\n', /^not valid JSON: .+$/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /^not valid UTF-8$/],
    [deepSetting, /^values in it are nested more than 200 levels deep$/],
    [deep, /^values in it are nested more than 200 levels deep$/],
  ];
  for (const [content, reason] of cases) {
    const read = await readText(content);
    assert.ok(read.kind === "unreadable", JSON.stringify(read).slice(0, 200));
    assert.match(read.reason, reason);
  }
});

test("what is no regular file is not read, and not waited for", async () => {
  using directory = temporaryDirectory();
  const [folder, pipe] = [join(directory.path, "folder"), join(directory.path, "pipe")];
  mkdirSync(join(folder, file), { recursive: true });
  mkdirSync(pipe);
  execFileSync("mkfifo", [join(pipe, file)]);
  for (const place of [folder, pipe]) {
    assert.deepEqual(await readFingerprint(place), { kind: "unreadable", reason: "it is no regular file" });
  }
});

test("numbers that only Python writes are read as null, and a byte order mark is skipped", async () => {
  const read = await readText('\ufeff{"max_parallel": NaN, "overrides": {"run_limits.max_usd": Infinity}}');
  assert.ok(read.kind === "fingerprint");
  assert.deepEqual(read.fingerprint, { run: { max_parallel: null, overrides: { "run_limits.max_usd": null } }, own: undefined });
});

test("keys called like a prototype's are keys", () => {
  const { run, own } = parsed('{"__proto__": {"polluted": 1}, "evalbatch": {"version": 1, "environment": {"__proto__": "x"}}}');
  assert.deepEqual(Object.keys(run), ["__proto__"]);
  assert.deepEqual(Object.keys(own?.madeIn.environment ?? {}), ["__proto__"]);
  assert.equal(Object.hasOwn(Object.prototype, "polluted"), false);
});

test("what is damaged of our part costs the rows that need it, and no others", () => {
  const fingerprint = fingerprintWith({
    rows: [rowOf("a"), rowOf("b", stampOf({ "agent.model": "model-b" })), rowOf("c", stampOf({}, {}))],
  });
  const damage = (change: (own: Record<string, unknown[]>) => void) => {
    const written = JSON.parse(textOf(fingerprint));
    change(written.evalbatch);
    return parsed(JSON.stringify(written)).own?.rows ?? new Map();
  };
  const ids = (rows: ReadonlyMap<string, { taskId: string }>) => [...rows.values()].map(({ taskId }) => taskId);
  assert.deepEqual(ids(damage((own) => own.stamps?.splice(1, 1, 7))), ["a", "c"]);
  assert.deepEqual(ids(damage((own) => own.stamps?.splice(1, 1, { digest: "d", settings: 1, content: { initial_prompt: 7 } }))), [
    "a",
    "c",
  ]);
  assert.deepEqual(ids(damage((own) => own.settings?.splice(1, 1, { "agent.model": "bare" }))), ["a", "c"]);
  assert.deepEqual(ids(damage((own) => own.rows?.splice(0, 1, { task_id: "a", replicates: [-1] }))), ["b", "c"]);
  assert.deepEqual(ids(damage((own) => own.rows?.push({ variant_id: "v", task_id: "x", replicates: [0], stamp: 99 }))), ["a", "b", "c"]);
  assert.deepEqual(ids(damage((own) => own.settings?.splice(1, 1, "gone"))), ["a", "c"]);
  assert.deepEqual(ids(damage((own) => void delete own.stamps)), []);
});

test("a part of ours that is none at all is read as a file of coder_eval", () => {
  for (const part of ["7", "[]", "null", '"x"']) {
    assert.deepEqual(parsed(`{"backend": "direct", "evalbatch": ${part}}`), { run: { backend: "direct" }, own: undefined });
  }
});

test("the stamp of each row is found by its key", () => {
  const fingerprint = reread(fingerprintWith({ rows: [rowOf("a"), rowOf("b", stampOf({}), 3)] }));
  assert.equal(stampDigestOf(fingerprint, keyOf("a")), stampOf().digest);
  assert.equal(stampDigestOf(fingerprint, keyOf("b", 3)), stampOf({}).digest);
  assert.equal(stampDigestOf(fingerprint, keyOf("b")), undefined);
  assert.equal(stampDigestOf(parsed(foreignFile("0.8.2-first.json")), keyOf("a")), undefined);
});
