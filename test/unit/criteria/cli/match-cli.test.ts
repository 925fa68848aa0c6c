import assert from "node:assert/strict";
import test from "node:test";
import type { z } from "zod";
import { cliMatchSchema } from "../../../../src/criteria/cli/cli-match-schema.ts";
import { matchCall } from "../../../../src/criteria/cli/match-cli.ts";

type Input = z.input<typeof cliMatchSchema>;

const search = async (pattern: string, _flags: number, text: string) => new RegExp(pattern).test(text);
const fits = (match: Input, line: string) => matchCall(cliMatchSchema.parse(match), line.split(" ").filter(Boolean), search);

async function table(match: Input, rows: Readonly<Record<string, boolean>>): Promise<void> {
  for (const [line, expected] of Object.entries(rows))
    assert.equal(await fits(match, line), expected, `'${line}' with ${JSON.stringify(match)}`);
}

test("a verb is the beginning of the words that are no flags", async () => {
  await table(
    { verb: "ixp projects list" },
    {
      "ixp projects list": true,
      "ixp projects list more": true,
      "--json ixp -v projects list": true,
      "--output json ixp projects list": true,
      "ixp projects lists": false,
      "ixp projects": false,
      "other ixp projects list": false,
    },
  );
  await table({ verb_any_of: ["a b", "c"] }, { "a b": true, "c d": true, a: false, b: false });
});

test("positional words stand right behind the verb, and more may follow", async () => {
  const match = { verb: "upgrade", positional: ["project", "name"] };
  await table(match, {
    "upgrade project name": true,
    "upgrade project name x": true,
    "upgrade name project": false,
    "upgrade project": false,
  });
  await table(match, { "upgrade --version 14 project name": false, "upgrade project name --version 14": true });
  await table(
    { ...match, value_flags: ["version"] },
    { "upgrade --version 14 project name": true, "upgrade --version=14 project name": true },
  );
  await table({ positional: ["a"] }, { "a b": true, "b a": false });
});

test("a flag with a rule for its value takes the next word, by all of its names", async () => {
  const match: Input = { positional: ["p"], flags: { fields: { contains: "f-002", aliases: ["f", "--field"] } } };
  await table(match, {
    "--fields f-002 p": true,
    "--fields=f-001,f-002 p": true,
    "-f f-002 p": true,
    "-f=f-002 p": true,
    "-ff-002 p": true,
    "--field f-002 p": true,
    "--fields f-001 p": false,
    "-c f-002 p": false,
    "p f-002": false,
    "p --fields": false,
  });
});

test("each kind of rule asks what it says", async () => {
  await table({ flags: { v: "13" } }, { "-v 13": true, "-v 130": false });
  await table({ flags: { v: 13, w: true } }, { "-v 13 -w true": true, "-v 13": false });
  await table({ flags: { v: { any_of: ["a", "b"] } } }, { "-v b": true, "-v c": false });
  await table({ flags: { v: { matches_regex: "^a.c$" } } }, { "-v abc": true, "-v abcd": false });
  await table({ flags: { force: { absent: true } } }, { "": true, "--force": false, "--force=1": false, "-- --force": true });
  await table({ flags: { force: { present: true } }, positional: ["x"] }, { "--force x": true, x: false });
});

test("a flag that is given several times fits when one of its values does", async () => {
  await table({ flags: { tag: "b" } }, { "--tag a --tag b": true, "--tag a --tag c": false });
});

test("short flags are split, unless the rule names them as one", async () => {
  await table({ flags: { v: { present: true }, x: { present: true } } }, { "-vx": true, "-xav": true, "-v": false, "--vx": false });
  await table({ flags: { vx: { present: true } } }, { "-vx": true, "--vx": true, "-v -x": false });
  await table({ flags: { o: "file" } }, { "-vo file": true, "-vofile": true, "-vo=file": true, "-ov file": false });
});

test("behind -- there are no flags, a lone dash and negative numbers are none", async () => {
  await table({ positional: ["--x", "-y"] }, { "-- --x -y": true, "--x -y": false });
  await table({ positional: ["-1", "-.5e3", "-"] }, { "-1 -.5e3 -": true });
  await table({ flags: { 1: { present: true } } }, { "-1": true, "-2": false });
});

test("ignored flags are not looked at, unless a rule names them", async () => {
  const rows = { "--output json": true, "--output text": false };
  await table({ flags: { output: "json" } }, rows);
  await table({ flags: { output: "json" }, ignore_flags: ["output"] }, rows);
  await table({ verb: "a", ignore_flags: ["q"], value_flags: ["q"] }, { "-q x a": true });
});

test("a pattern that cannot be searched ends the match with its error, and is only asked where everything else fits", async () => {
  const match = cliMatchSchema.parse({ verb: "a", flags: { x: { matches_regex: "(" } } });
  const broken = async () => await Promise.reject(new Error("broken"));
  await assert.rejects(matchCall(match, ["a", "--x", "1"], broken), /broken/);
  assert.equal(await matchCall(match, ["b", "--x", "1"], broken), false);
});
