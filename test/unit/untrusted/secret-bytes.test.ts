import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createRedactor } from "../../../src/untrusted/redact.ts";

const secrets = ["hunter2-hunter2", "pässwörd-ünïcode", "multi-line-one\nmulti-line-two"];
const encodings: readonly ((text: string) => Buffer)[] = [
  (text) => Buffer.from(text),
  (text) => Buffer.from(text, "utf16le"),
  (text) => Buffer.from(text, "utf16le").swap16(),
  (text) => Buffer.from(Buffer.from(text).toString("base64")),
  (text) => Buffer.from(Buffer.from(text).toString("hex")),
  (text) => Buffer.from(encodeURIComponent(text)),
];

test("a secret in bytes is found in every encoding, however they come in pieces", () => {
  const noise = fc.uint8Array({ maxLength: 40 });
  const redactor = createRedactor(secrets);
  fc.assert(
    fc.property(
      fc.constantFrom(...secrets),
      fc.constantFrom(...encodings),
      noise,
      noise,
      fc.integer({ min: 1, max: 9 }),
      (secret, encode, a, b, size) => {
        const bytes = Buffer.concat([a, encode(secret), b]);
        const search = redactor.searchBytes();
        let found = false;
        for (let at = 0; at < bytes.length; at += size) found = search.found(bytes.subarray(at, at + size));
        assert.equal(found, true);
      },
    ),
    { numRuns: 500 },
  );
});

test("bytes without a secret are found clean", () => {
  const search = createRedactor(secrets).searchBytes();
  for (let turn = 0; turn < 300; turn += 1) assert.equal(search.found(Buffer.alloc(1000, turn)), false);
  assert.equal(createRedactor([]).searchBytes().found(Buffer.from("hunter2-hunter2")), false);
});

test("tokens are known by their shape in bytes too", () => {
  const token = `ghp_${"a1".repeat(18)}`;
  for (const bytes of [
    Buffer.from(`\0${token}\0`),
    Buffer.from(token, "utf16le"),
    Buffer.from("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----\0"),
  ]) {
    assert.equal(createRedactor([]).searchBytes().found(bytes), true);
  }
});
