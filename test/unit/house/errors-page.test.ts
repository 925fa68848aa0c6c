import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { errorKinds, errorPage } from "./error-examples.ts";
import { root, sourceFiles } from "./source-files.ts";

// `UPDATE_GOLDEN=1` writes the page anew: read the difference before you commit it, as somebody who has made the mistake.
const update = process.env.UPDATE_GOLDEN === "1";
const page = join(root, "docs/errors.md");
const kinds = await errorKinds();

test("docs/errors.md has every message as it is given today", () => {
  const made = errorPage(kinds);
  if (update) writeFileSync(page, made);
  assert.equal(readFileSync(page, "utf8"), made);
});

test("a message is in plain words: it begins small, has no full stop, and an error of a file says where", () => {
  for (const { code, about, messages } of kinds) {
    assert.match(about, /^[A-Z`$].*\.$/, code);
    for (const line of messages.flatMap((message) => message.split("\n"))) {
      const said = /^(?:\S+: )?(?:error|warning): (?:[\w.[\]-]+: )?(.*)$/.exec(line)?.[1];
      if (said === undefined) continue;
      assert.doesNotMatch(said, /[a-z]\.$|Error:|\/tmp\//, code);
    }
  }
});

/** Kinds that no small example can give. */
const without: Readonly<Record<string, string>> = {
  "dataset-file": "a dataset of more than its limit in bytes, or one that may not be read",
  "line-too-long": "a line of a dataset of megabytes",
  "more-problems": "the end of a very long list of problems",
  unreadable: "a file that this user may not read",
  "too-much-text": "rows that make gigabytes of text",
  "yaml-too-many": "a file of more values than are read",
  yaml: "a node that the parser does not know: cannot be written",
};

test("every kind of problem that planning knows has its example", () => {
  const given = new Set(kinds.map(({ code }) => code));
  const asked = /(?:\bcode: |\b\w*(?:rror|arning|efuse|efusal|roblem|ssueOf)\(\s*)"([a-z]+(?:-[a-z0-9]+)*)"/g;
  const known = sourceFiles()
    .filter(({ path }) => path.startsWith("src/plan/"))
    .flatMap(({ text }) => [...text.matchAll(asked)].map(([, code = ""]) => code));
  assert.ok(known.length > 60);
  const missing = [...new Set(known)].filter((code) => !given.has(code) && without[code] === undefined && code !== "custom");
  assert.deepEqual(missing, []);
});
