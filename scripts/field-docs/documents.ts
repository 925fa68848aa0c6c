import { experimentTables } from "./experiment-tables.ts";
import { taskTables } from "./task-tables.ts";

/** Documents with tables that are made of the loader's schemas and rules. */
export const documentTables: Readonly<Record<string, () => Readonly<Record<string, string>>>> = {
  "docs/tasks.md": taskTables,
  "docs/experiments.md": experimentTables,
};
