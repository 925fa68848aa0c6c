// `npm run schemas`: writes schemas/*.json, for editors and programs, and the tables of docs/tasks.md and
// docs/experiments.md, from the schemas and rules that the loader uses. Tests hold them equal.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentTables } from "./field-docs/documents.ts";
import { withTables } from "./readme/tables.ts";
import { publishedFiles } from "./schemas/publish.ts";

const root = join(import.meta.dirname, "..");
mkdirSync(join(root, "schemas"), { recursive: true });
for (const [name, text] of Object.entries(publishedFiles())) writeFileSync(join(root, "schemas", name), text);
for (const [document, tables] of Object.entries(documentTables)) {
  const path = join(root, document);
  writeFileSync(path, withTables(readFileSync(path, "utf8"), tables()));
}
