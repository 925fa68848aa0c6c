// `node scripts/readme.ts`: writes the tables of README.md anew from action.yml. A test holds the two equal.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { actionTables, withTables } from "./readme/tables.ts";

const root = join(import.meta.dirname, "..");
const readme = join(root, "README.md");
writeFileSync(readme, withTables(readFileSync(readme, "utf8"), actionTables(readFileSync(join(root, "action.yml"), "utf8"))));
