import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { textLength } from "../../../../src/untrusted/files/text-bytes.ts";
import { createRedactor } from "../../../../src/untrusted/redact.ts";
import { makePlace, reasons, secret, stage, stagedNames, stagedText } from "./trees.ts";

const swapped = (text: string): Buffer => Buffer.from(text, "utf16le").swap16();
const holds = "holds a secret, or what looks like one";
/** Larger than what is held in memory, and than any piece. */
const megabytes = 3 * 1024 * 1024;

test("a file that is no text leaves as it is, unless it holds a secret in any form", async () => {
  const noise = Buffer.from([0, 1, 2, 0xff, 0xfe]);
  using place = makePlace({
    "clean.bin": noise,
    "raw.bin": Buffer.concat([noise, Buffer.from(secret), noise]),
    "base64.bin": Buffer.concat([noise, Buffer.from(Buffer.from(`user:${secret}`).toString("base64"))]),
    "utf16le.txt": Buffer.from(`\ufeffkey ${secret}`, "utf16le"),
    "utf16be.txt": swapped(`\ufeffkey ${secret}`),
    "utf16-clean.txt": Buffer.from("\ufeffnothing", "utf16le"),
    "token.db": Buffer.concat([noise, Buffer.from(`ghp_${"a1".repeat(18)}`), noise]),
    "token-utf16.db": Buffer.from(`x ghp_${"a1".repeat(18)} y`, "utf16le"),
    "latin1.log": Buffer.from(`caf\xe9 ${secret}`, "latin1"),
  });
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["clean.bin", "utf16-clean.txt"]);
  assert.deepEqual(readFileSync(join(place.staging, "clean.bin")), noise);
  assert.deepEqual(reasons(staged), {
    "base64.bin": holds,
    "latin1.log": holds,
    "raw.bin": holds,
    "token-utf16.db": holds,
    "token.db": holds,
    "utf16be.txt": holds,
    "utf16le.txt": holds,
  });
  assert.equal(staged.redactions, 0);
});

test("a large file that begins as a text and goes on as something else is no text, and leaves whole or not at all", async () => {
  const text = Buffer.from("line\n".repeat(megabytes / 5));
  const clean = Buffer.concat([text, Buffer.from([0xff])]);
  using place = makePlace({ "clean.dat": clean, "dirty.dat": Buffer.concat([Buffer.from(secret), text, Buffer.from([0xff])]) });
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["clean.dat"]);
  assert.ok(readFileSync(join(place.staging, "clean.dat")).equals(clean));
  assert.deepEqual(reasons(staged), { "dirty.dat": holds });
  assert.equal(staged.redactions, 0);
});

test("a large JSON document is not worked on to its end when the time is up", async () => {
  const rows = Array.from({ length: megabytes / 60 }, (_, id) => ({ id, text: `line ${id} of a long document with ${secret}` }));
  using place = makePlace({ "a.json": JSON.stringify(rows) });
  const stop = new AbortController();
  let redacted = 0;
  const redactor = createRedactor([secret]);
  const stream: typeof redactor.stream = () => {
    const inner = redactor.stream();
    return {
      write(piece) {
        redacted += 1;
        stop.abort();
        return inner.write(piece);
      },
      end: () => inner.end(),
      get count() {
        return inner.count;
      },
    };
  };
  const counted = {
    ...redactor,
    stream,
    get total() {
      return redactor.total;
    },
  };
  const staged = await stage(place, { redactor: counted, signal: stop.signal });
  assert.deepEqual([redacted, reasons(staged), stagedNames(place)], [1, { "a.json": "no time left" }, []]);
});

test("a large JSON document stays one, and holds no secret", async () => {
  const rows = Array.from({ length: megabytes / 60 }, (_, id) => ({
    id,
    text: `line ${id} of a long document with ${secret}`,
    pin: 4711_0815,
  }));
  using place = makePlace({ "a.json": JSON.stringify(rows) });
  await stage(place, { redactor: createRedactor([secret, "47110815"]) });
  const read: unknown = JSON.parse(stagedText(place, "a.json"));
  assert.deepEqual(
    read,
    rows.map(({ id, text }) => ({ id, text: text.replace(secret, "***"), pin: "***" })),
  );
});

test("in large files a secret is found wherever the pieces end", async () => {
  const places = Array.from({ length: 24 }, (_, index) => Math.floor((index * megabytes) / 24));
  const pad = 256 * 1024;
  const fill = (before: number, unit: string): string => unit.repeat(before);
  const files: Record<string, string | Buffer> = {};
  for (const shift of [1, 7, 13, 20]) {
    files[`text-${shift}.log`] = fill(pad - shift, "x") + secret + fill(megabytes, "y");
    files[`binary-${shift}.bin`] = Buffer.concat([
      Buffer.from([0]),
      Buffer.from(fill(pad - shift - 1, "x") + secret + fill(megabytes, "y")),
    ]);
  }
  files["many.log"] = places.map((at) => `${"z".repeat(megabytes / 24 - 30)}${at} ${secret}\n`).join("");
  using place = makePlace(files);
  const staged = await stage(place);
  assert.deepEqual(stagedNames(place), ["many.log", "text-1.log", "text-13.log", "text-20.log", "text-7.log"]);
  for (const name of stagedNames(place)) assert.equal(stagedText(place, name).includes(secret), false, name);
  assert.equal(staged.redactions, 4 + 24);
});

test("a large text of many-byte characters survives being read in pieces", async () => {
  const text = `a${"ü€😀".repeat(megabytes / 9)}`;
  using place = makePlace({ "a.txt": text });
  await stage(place);
  assert.ok(stagedText(place, "a.txt") === text);
});

test("a text that was cut in the middle of a character is a text still", async () => {
  const cut = Buffer.from(`${secret} €`).subarray(0, -1);
  const large = Buffer.concat([Buffer.from(`${secret}\n${"x".repeat(megabytes)}`), Buffer.from("😀").subarray(0, 3)]);
  using place = makePlace({ "cut.log": cut, "large.log": large });
  const staged = await stage(place);
  assert.equal(staged.redactions, 2);
  assert.deepEqual(readFileSync(join(place.staging, "cut.log")), Buffer.concat([Buffer.from("*** "), cut.subarray(-2)]));
  assert.deepEqual(readFileSync(join(place.staging, "large.log")).subarray(-3), large.subarray(-3));
});

test("a byte order mark stays", async () => {
  using place = makePlace({ "bom.txt": `\ufeffkey ${secret}` });
  await stage(place);
  assert.equal(stagedText(place, "bom.txt"), "\ufeffkey ***");
});

test("a text that redaction makes longer than allowed is left out, and nothing of it stays", async () => {
  using place = makePlace({ "a.txt": "https://:x@h" });
  const staged = await stage(place, { limits: { fileBytes: 12 } });
  assert.deepEqual(reasons(staged), { "a.txt": "file too large" });
  assert.deepEqual(stagedNames(place), []);
});

test("JSON stays JSON, also when a number holds a secret or a mask would split an escape", async () => {
  const document = {
    id: 123456789,
    ok: 12345,
    text: "x newline-secret 7890123",
    split: "a\nbreaks",
    nested: [{ key: "\u00e9", cost: -7890123.5 }],
  };
  const secrets = ["123456789", "newline-secret", "7890123", "nbreaks"];
  using place = makePlace({ "task.json": JSON.stringify(document, null, 2), "broken.json": '{"id": 123456789' });
  const staged = await stage(place, { redactor: createRedactor(secrets) });
  const read: unknown = JSON.parse(stagedText(place, "task.json"));
  assert.deepEqual(read, { id: "***", ok: 12345, text: "x *** ***", split: "***", nested: [{ key: "é", cost: "***" }] });
  assert.equal(stagedText(place, "broken.json"), '{"id": ***');
  assert.ok(staged.redactions > 3);
});

test("whatever stands in a JSON file, it can be read after and holds no secret", async () => {
  const secrets = ["n12345", '"quote"', "back\\slash", "1234567", "true-love", "ünïcode"];
  const leaf = fc.oneof(fc.constantFrom(...secrets), fc.string({ maxLength: 5 }), fc.constantFrom("\n12345", "\\", '"', "\t"));
  const text = fc.array(leaf, { maxLength: 4 }).map((parts) => parts.join(""));
  const value = fc.oneof(text, fc.constantFrom(1234567, 12345678.5, -1234567e3, 5, true, null));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(text, value), { maxLength: 3 }), fc.boolean(), async (document, indented) => {
      using place = makePlace({ "a.json": JSON.stringify(document, null, indented ? 2 : undefined) });
      await stage(place, { redactor: createRedactor(secrets) });
      const out = stagedText(place, "a.json");
      JSON.parse(out);
      for (const value of secrets) assert.equal(out.includes(value), false);
    }),
    { numRuns: 150 },
  );
});

test("text is what is UTF-8 without zero bytes, but for a character cut off at its end", () => {
  const lengths = (bytes: readonly number[]): number | undefined => textLength(Buffer.from(bytes));
  assert.equal(lengths([]), 0);
  assert.equal(lengths([0x61, 0]), undefined);
  assert.equal(lengths([0x61, 0xe2, 0x82]), 1);
  assert.equal(lengths([0x61, 0xf0, 0x9f, 0x98]), 1);
  assert.equal(lengths([0x61, 0xc3]), 1);
  assert.equal(lengths([0x61, 0xe2, 0x41]), undefined);
  assert.equal(lengths([0x61, 0x82]), undefined);
  assert.equal(lengths([0xff]), undefined);
  assert.equal(lengths([0xc1]), undefined);
});

test("every beginning of a text is a text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 6 }), (text) => {
      const bytes = Buffer.from(text.replaceAll("\0", ""));
      for (let end = 0; end <= bytes.length; end += 1) {
        const length = textLength(bytes.subarray(0, end));
        assert.ok(length !== undefined && end - length <= 3);
      }
    }),
  );
});
