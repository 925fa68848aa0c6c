import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { actionTables, documentsWithTables, withTables } from "../../../scripts/readme/tables.ts";
import { root } from "./source-files.ts";

const read = (path: string) => readFileSync(join(root, path), "utf8");

test("the tables of the documents are those of action.yml (node scripts/readme.ts writes them)", () => {
  const tables = actionTables(read("action.yml"));
  for (const document of documentsWithTables) assert.equal(read(document), withTables(read(document), tables), document);
});

test("a cell cannot break its table", () => {
  const yaml = 'inputs: {a: {description: "x | y\\n<b>", required: true}}\noutputs: {}';
  assert.match(actionTables(yaml).inputs ?? "", /\n\| `a` \| required \| x \\\| y &lt;b> \|$/);
});

test("a document without its markers is refused instead of left as it is", () => {
  assert.throws(() => withTables("no marker", { inputs: "" }), /has no <!-- inputs -->/);
});

test("relative links of the documents lead somewhere", () => {
  const documents = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", ...globSync("docs/**/*.md", { cwd: root })];
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)[^)]*\)/g)]
      .map((match) => match[1] ?? "")
      .filter((target) => !existsSync(join(root, dirname(document), target)))
      .map((target) => `${document}: ${target}`),
  );
  assert.deepEqual(broken, []);
});

test("every npm script that the documents name exists", () => {
  const manifest: { scripts?: Record<string, string> } = JSON.parse(read("package.json"));
  const named = ["README.md", "CONTRIBUTING.md", ".ci/run", ".github/workflows/ci.yml", "docs/performance.md"]
    .flatMap((document) => [...read(document).matchAll(/\bnpm run ([a-z:]+)/g)])
    .map((match) => match[1] ?? "");
  assert.deepEqual(
    named.filter((name) => manifest.scripts?.[name] === undefined),
    [],
  );
});
