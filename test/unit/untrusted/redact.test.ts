import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createRedactor } from "../../../src/untrusted/redact.ts";

const secret = 'p@ss "w/rd" + ümlaut?';
const shown = (secrets: readonly string[], text: string): string => createRedactor(secrets).redact(text).text;

test("a secret is hidden as it is and counted", () => {
  const redactor = createRedactor([secret, ""]);
  assert.deepEqual(redactor.redact(`a ${secret} b ${secret}`), { text: "a *** b ***", count: 2 });
  redactor.redact(secret);
  assert.equal(redactor.total, 3);
});

test("a secret is hidden in each form that it comes back in", () => {
  const json = JSON.stringify({ key: secret });
  const forms: Readonly<Record<string, string>> = {
    json,
    "json in json": JSON.stringify(json),
    "percent-encoded": encodeURIComponent(secret),
    "percent-encoded, lower case": encodeURIComponent(secret).toLowerCase(),
    "form-encoded": new URLSearchParams({ a: secret }).toString(),
    base64: Buffer.from(secret).toString("base64"),
    base64url: Buffer.from(secret).toString("base64url"),
    hex: Buffer.from(secret).toString("hex"),
  };
  for (const [name, form] of Object.entries(forms)) {
    const text = shown([secret], `x ${form} y`);
    assert.match(text, /\*\*\*/, name);
    assert.equal(text.toLowerCase().includes("rd"), false, `${name}: ${text}`);
  }
});

test("a secret is hidden as other programs write it", () => {
  const value = `it's <a&b> "é"\\ü$1`;
  const forms: Readonly<Record<string, string>> = {
    "JSON of Python": '"it\'s <a&b> \\"\\u00e9\\"\\\\\\u00fc$1"',
    "JSON of Go": '"it\'s \\u003ca\\u0026b\\u003e \\"é\\"\\\\ü$1"',
    "HTML attribute": "it&#39;s &lt;a&amp;b&gt; &quot;é&quot;\\ü$1",
    "HTML of Python": "it&#x27;s &lt;a&amp;b&gt; &quot;é&quot;\\ü$1",
    "HTML text": 'it\'s &lt;a&amp;b&gt; "é"\\ü$1',
    shell: `'it'\\''s <a&b> "é"\\ü$1'`,
    YAML: `'it''s <a&b> "é"\\ü$1'`,
    Python: `'it\\'s <a&b> "é"\\\\ü$1'`,
  };
  for (const [name, form] of Object.entries(forms)) {
    const text = shown([value], `x ${form} y`);
    assert.match(text, /\*\*\*/, `${name}: ${text}`);
    assert.doesNotMatch(text, /a.{1,6}b|1/, `${name}: ${text}`);
  }
});

test("base64 that a program broke into lines is hidden", () => {
  const long = Array.from({ length: 40 }, (_, index) => `part-${index}!`).join("");
  for (const width of [64, 76]) {
    const lines =
      Buffer.from(`${long}\n`)
        .toString("base64")
        .match(new RegExp(`.{1,${width}}`, "g")) ?? [];
    const text = shown([long], lines.join("\n"));
    assert.ok(text.replaceAll("***", "").trim().length <= 4, text);
  }
});

test("base64 is found whatever stands before and after the secret in what was encoded", () => {
  for (const before of ["", "u:", "ur:", "usr:"]) {
    for (const after of ["", "!", "!!"]) {
      const encoded = Buffer.from(before + secret + after).toString("base64");
      const left = shown([secret], encoded).replaceAll("***", "");
      const ofNeighbours = Math.ceil((before.length * 8) / 6) + Math.ceil((after.length * 8) / 6) + 3;
      assert.ok(left.length <= ofNeighbours, `${before}…${after}: ${left}`);
    }
  }
});

test("each line of a secret of many lines is hidden", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nab\n-----END KEY-----\n";
  assert.equal(shown([key], "1: MIIEvQIBADANBgkqhkiG\r\n2: ab"), "1: ***\r\n2: ab");
  assert.equal(shown([key.replaceAll("\n", "\r\n")], `x${key.trimEnd()}y`), "x***y");
});

test("each text within a secret JSON document is hidden", () => {
  const account = JSON.stringify({ type: "sa", nested: [{ private_key: "-----BEGIN\nabcdefghijk\n", n: 12345678 }] });
  assert.equal(shown([account], "key abcdefghijk of sa 12345678"), "key *** of sa 12345678");
});

test("of a document that is secret its secrets are hidden, not each word in it", () => {
  const account = JSON.stringify({
    type: "service_account",
    auth_uri: "https://accounts.example/o/oauth2/auth",
    client_secret: "sunshine",
    id: "a1b2c3d4e5",
  });
  const plain = "service_account https://accounts.example/o/oauth2/auth";
  assert.equal(shown([account], `${plain} sunshine a1b2c3d4e5`), `${plain} *** ***`);
  assert.equal(shown([account], `x${account}y`), "x***y");
});

test("of a secret file of settings each value is hidden also alone", () => {
  const file = "MODE=production\nexport API_KEY='abc-123-def'\npassword: sunshine\n//registry.example/:_authToken=npm-0123456789\n{\n";
  assert.equal(shown([file], "production abc-123-def sunshine npm-0123456789 { x"), "production *** *** *** { x");
});

test("the password of a secret address is hidden also alone, as written and decoded", () => {
  for (const address of ["postgres://app:s3cr%40t-pw@db.example/x", "https://app:s3cr%40t-pw@git.example/o/r.git"]) {
    assert.equal(shown([address], "s3cr%40t-pw s3cr@t-pw db.example app"), "*** *** db.example app");
    assert.equal(shown([`A=1\nURL=${address}`], "s3cr@t-pw"), "***");
  }
});

test("values that are too short to hide stay", () => {
  assert.equal(shown(["true", "12345", "abcdef"], "true 12345 abcdef"), "true 12345 ***");
});

test("secrets that overlap are hidden to their last character", () => {
  assert.deepEqual(createRedactor(["abcdefgh", "efghijkl", "abcdefghij"]).redact("-abcdefghijkl-"), { text: "-***-", count: 1 });
});

test("a secret of pattern characters is taken literally", () => {
  assert.equal(shown([".*$^[a](b)|\\"], "x.*$^[a](b)|\\y zzzzzzzz"), "x***y zzzzzzzz");
  assert.equal(shown(["$& $1 $$ $`"], "a $& $1 $$ $` b"), "a *** b");
});

const body = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEF";
test("tokens of known shape are hidden though nobody named them", () => {
  const tokens = [
    `ghp_${body.slice(0, 36)}`,
    `ghs_${body.slice(0, 36)}`,
    `github_pat_${body}`,
    `glpat-${body.slice(0, 20)}`,
    `sk-ant-api03-${body}`,
    `sk-proj-${body}`,
    `sk-${body.slice(0, 36)}`,
    `sk_live_${body.slice(0, 24)}`,
    `xoxb-123456789012-${body.slice(0, 20)}`,
    "AKIAIOSFODNN7EXAMPLE",
    `AIza${body.slice(0, 35)}`,
    `npm_${body.slice(0, 36)}`,
    `hf_${body.slice(0, 34)}`,
    `eyJ${body}.eyJ${body}.${body}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${body}\n${body}\n-----END RSA PRIVATE KEY-----`,
  ];
  for (const token of tokens) {
    assert.deepEqual(createRedactor([]).redact(`a "${token}" b`), { text: 'a "***" b', count: 1 }, token);
    assert.equal(shown([], `KEY_${token}`), "KEY_***");
  }
});

test("credentials in addresses and headers are hidden, the rest of them stays", () => {
  assert.equal(shown([], "git clone https://user:hunter2@host/x"), "git clone https://***@host/x");
  assert.equal(shown([], `https://x-access-token:${body}@github.com/o/r`), "https://***@github.com/o/r");
  assert.equal(shown([], `https://${body}@github.com/o/r`), "https://***@github.com/o/r");
  assert.equal(shown([], `curl -H "Authorization: Bearer ${body}"`), 'curl -H "Authorization: Bearer ***"');
  assert.equal(shown([], `{"x-api-key": "${body}"}`), '{"x-api-key": "***"}');
});

test("a credential is hidden also where the name of another one stands right before or in front of it", () => {
  assert.equal(shown([], `x-api-key=abcdefgh-x-api-key: "${body}"`), 'x-api-key=***: "***"');
  assert.equal(shown([], `authorization: bearer authorization: bearer ${body}`), "authorization: bearer ***: bearer ***");
  assert.equal(shown([], `-eyJ-eyJ${body}.eyJ${body}.${body} x`), "-*** x");
});

test("of many private keys that begin, those that end are hidden", () => {
  const begin = "-----BEGIN PRIVATE KEY-----\n";
  const end = "-----END PRIVATE KEY-----";
  assert.equal(
    shown([], `a ${end} ${begin}x${end} b ${begin}${"y".repeat(20_000)}${begin}z${end} c`),
    `a ${end} *** b ${begin}${"y".repeat(20_000)}*** c`,
  );
  assert.equal(shown([], `${begin.repeat(3)}abc`), `${begin.repeat(3)}abc`);
});

test("text that is no secret stays as it is", () => {
  const text =
    "ssh://git@github.com/o/r https://host:8080/a@b sk-learn ghp_short eyJhbGciOi npm_config_cache task-sk-1 user@host commit 0123456789abcdef0123456789abcdef01234567 sha256:0123 authorization: none x AKIA";
  assert.deepEqual(createRedactor([]).redact(text), { text, count: 0 });
});

const piece = fc.oneof(
  fc.constantFrom(
    secret,
    "line-one-x\nline-two-y",
    `ghp_${body.slice(0, 36)}`,
    `Authorization: Bearer ${body}`,
    "line-one-x",
    "\n",
    " ",
    "line-",
  ),
  fc.constantFrom("-----BEGIN PRIVATE KEY-----\n", `${body}\n`, "-----END PRIVATE KEY-----\n", "https://user:", "hunter2", "@host"),
  fc.string({ maxLength: 8 }),
);
const text = fc.array(piece, { maxLength: 20 }).map((parts) => parts.join(""));
const secrets = [secret, "line-one-x\nline-two-y", "aaaaaa"];

test("a stream hides what the whole text would, however it is cut into pieces", () => {
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 25 }), { minLength: 1, maxLength: 8 }), (whole, sizes) => {
      const stream = createRedactor(secrets).stream();
      let out = "";
      for (let at = 0, turn = 0; at < whole.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 1;
        out += stream.write(whole.slice(at, at + size));
        at += size;
      }
      out += stream.end();
      assert.deepEqual({ text: out, count: stream.count }, createRedactor(secrets).redact(whole));
    }),
    { numRuns: 2_000 },
  );
});

test("what was redacted holds no secret", () => {
  fc.assert(
    fc.property(text, (whole) => {
      const once = shown(secrets, whole);
      for (const value of secrets) assert.equal(once.includes(value), false);
    }),
    { numRuns: 1_000 },
  );
});

test("a stream shows whole lines at once and holds an unfinished one", () => {
  const stream = createRedactor([secret]).stream();
  assert.equal(stream.write("one\ntwo"), "one\n");
  assert.equal(stream.write(" three\n"), "two three\n");
  assert.equal(stream.write("four"), "");
  assert.equal(stream.end(), "four");
});

test("a stream of one endless line is shown bit by bit, and a secret at any place in it is hidden", () => {
  const stream = createRedactor([secret]).stream();
  let shownText = "";
  let longest = 0;
  for (let part = 0; part < 200; part += 1) {
    const out = stream.write(part % 7 === 0 ? secret : "x".repeat(997));
    longest = Math.max(longest, out.length);
    shownText += out;
  }
  shownText += stream.end();
  assert.ok(longest > 0 && longest < 40_000);
  assert.equal(shownText.includes("rd"), false);
  assert.equal(stream.count, 29);
});

test("a secret of one repeated letter in a flood of it is hidden in one place", () => {
  assert.deepEqual(createRedactor(["aaaaaaaa"]).redact("a".repeat(300_000)), { text: "***", count: 1 });
});
