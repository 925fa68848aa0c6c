// `node scripts/schemas.ts`: writes schemas/*.json, for editors and programs, from the schemas that the loader uses. A test
// holds them equal.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { publishedFiles } from "./schemas/publish.ts";

const folder = join(import.meta.dirname, "../schemas");
mkdirSync(folder, { recursive: true });
for (const [name, text] of Object.entries(publishedFiles())) writeFileSync(join(folder, name), text);
