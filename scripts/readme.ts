// `node scripts/readme.ts`: writes the tables of the documents anew from action.yml. A test holds them equal.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionTables, documentsWithTables, withTables } from "./readme/tables.ts";

const root = join(import.meta.dirname, "..");
const tables = actionTables(readFileSync(join(root, "action.yml"), "utf8"));
for (const document of documentsWithTables) {
  const path = join(root, document);
  writeFileSync(path, withTables(readFileSync(path, "utf8"), tables));
}
