import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { outputNames } from "../../../src/github/outputs.ts";
import { holdsCommand } from "../untrusted/runner-parser.ts";

const probe = join(import.meta.dirname, "commands-probe.ts");

function say(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { stdout, stderr } = spawnSync(process.execPath, [probe, ...args], { encoding: "utf8", env });
  assert.equal(stderr, "");
  return stdout;
}

test("an error is one annotation at its place, whatever its text", () => {
  assert.equal(
    say(["error", "50% of\r\n::warning::x\u001b[31m", "evals: b,c"]),
    "::error title=evals%3A b%2Cc,file=evals/a%2Cb.yaml,line=3,col=2::50%25 of%0A: :warning::x\n",
  );
});

test("a step has ten annotations of a kind: none says what another has said", () => {
  assert.equal(say(["again", "disk full", "no token"]), "::warning::disk full\n::warning::no token\n::error::disk full\n");
});

test("a message is cut to what the runner shows, never through a character", () => {
  const stdout = say(["error", "😀".repeat(3000), ""]);
  const message = stdout.split("::").at(-1)?.trimEnd() ?? "";
  assert.equal(message.length, 4096);
  assert.match(message, /^(?:😀)+\ufffd?…$/u);
});

test("lines of foreign text are no commands", () => {
  const stdout = say(["lines", "a\n::error::x\n##[error]y", "t | "]);
  assert.equal(holdsCommand(stdout), false);
  assert.equal(stdout, "t | a\nt | : :error::x\nt | ## [error]y\n");
});

test("a group opens and closes around its lines, its title on one line", () => {
  assert.equal(say(["group", "50% a\n::endgroup::"]), "::group::50%25 a ::endgroup::\n| inside\n::endgroup::\n");
  assert.equal(say(["group", "##[error]x\r::endgroup::"]), "::group::## [error]x ::endgroup::\n| inside\n::endgroup::\n");
});

test("of a secret of many lines no mask is a line that is too short: it would garble the log", () => {
  const masks: readonly string[] =
    say(["mask", '{\n  "private_key": "-----BEGIN-----\\nabcdefghijkl\\n"\n}\n']).match(/(?<=^::add-mask::).*$/gm) ?? [];
  assert.ok(masks.includes("abcdefghijkl"));
  for (const mask of masks) {
    const values = mask
      .replaceAll("%0D", "\r")
      .replaceAll("%0A", "\n")
      .split(/[\r\n]/);
    for (const value of values) assert.ok(value.length >= 8, JSON.stringify(mask));
  }
});

test("a secret is masked in its derived forms too; a short value is not, it would garble the log", () => {
  const stdout = say(["mask", "sec/ret-value"]);
  for (const form of ["sec/ret-value", "sec%252Fret-value", Buffer.from("sec/ret-value").toString("base64")]) {
    assert.ok(stdout.includes(`::add-mask::${form}\n`), form);
  }
  assert.equal(say(["mask", "true"]), "");
});

test("outputs go to the runner's file, the last value of each name counts", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-outputs-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "output");
  writeFileSync(path, "");
  assert.equal(say(["outputs"], { GITHUB_OUTPUT: path }), "");
  const outputs = new Map<string, string>();
  const entry = /^([\w-]+)<<(ghadelimiter_[\w-]+)\n([\s\S]*?)\n\2\n/gm;
  for (const [, name = "", , value = ""] of readFileSync(path, "utf8").matchAll(entry)) outputs.set(name, value);
  assert.deepEqual([...outputs.keys()], outputNames);
  assert.equal(outputs.get("verdict"), "passed");
  assert.equal(outputs.get("run-dir"), "/w/runs/x\ny");
});
