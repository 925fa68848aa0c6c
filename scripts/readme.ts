// `node scripts/readme.ts`: writes the tables of the documents anew, from action.yml and the agents' adapters. A test holds them equal.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentsDocument, agentTables } from "./readme/agent-tables.ts";
import { actionTables, documentsWithTables, withTables } from "./readme/tables.ts";

const root = join(import.meta.dirname, "..");
const ofAction = actionTables(readFileSync(join(root, "action.yml"), "utf8"));
for (const document of documentsWithTables) write(document, ofAction);
write(agentsDocument, agentTables());

function write(document: string, tables: Readonly<Record<string, string>>): void {
  const path = join(root, document);
  writeFileSync(path, withTables(readFileSync(path, "utf8"), tables));
}
