import { type DeepRule, type MergeRule, settingsRules } from "../../src/plan/layers/merge-rules.ts";
import { markdownTable } from "../readme/markdown-table.ts";
import { propertiesOf, typesOf } from "../schemas/json-schema.ts";
import { experimentFileSchema, taskFileSchema } from "../schemas/publish.ts";
import { kindsOf, type Parts, partAt, partsOf, tableOfKinds, tableOfRows, topRows } from "./field-table.ts";
import { typeText } from "./value-text.ts";

/** The tables of `docs/experiments.md`, by the name of their markers. */
export function experimentTables(): Readonly<Record<string, string>> {
  const parts = partsOf(experimentFileSchema().schema);
  return {
    "experiment-fields": tableOfRows(topRows(partAt(parts, ""))),
    "layer-fields": layerFields(parts),
    mutations: tableOfKinds(kindsOf(partAt(parts, "variants[].prompt_mutations[]"))),
    "merge-rules": mergeTable(),
  };
}

/** What may stand in the defaults and in a variant. */
function layerFields(parts: Parts): string {
  const [defaults, variant] = [propertiesOf(partAt(parts, "defaults")), propertiesOf(partAt(parts, "variants[]"))];
  const names = [...new Set([...Object.keys(variant), ...Object.keys(defaults)])];
  const rows = names.map((name) => {
    const field = variant[name] ?? defaults[name] ?? {};
    const required = name === "variant_id" ? "required" : name in variant ? "yes" : "";
    return [`\`${name}\``, name in defaults ? "yes" : "", required, typeText(field), String(field.description ?? "")];
  });
  return markdownTable(["field", "in `defaults`", "in a variant", "value", "meaning"], rows);
}

const orders = {
  "low-first": "lists follow each other, those of lower layers first",
  "high-first": "lists follow each other, those of higher layers first",
  "task-first": "lists follow each other: the task's, then the experiment's, then the variant's",
} as const;

const deep = "merged key by key";
const list = "the list of the highest layer that sets it";

/** Which fields merge how: read off the rules that the loader uses. */
export function mergeGroups(): ReadonlyMap<string, readonly string[]> {
  const parts = partsOf(taskFileSchema().schema);
  const groups = new Map<string, string[]>();
  const put = (how: string, path: string) => {
    const fields = groups.get(how);
    if (fields === undefined) groups.set(how, [path]);
    else fields.push(path);
  };
  const visit = (rule: MergeRule, path: string): void => {
    if (rule.kind === "append") put(orders[rule.order], path);
    else if (rule.kind === "deep") visitDeep(rule, path);
    else if (isList(parts, path)) put(list, path);
  };
  const visitDeep = (rule: DeepRule, path: string): void => {
    put(deep, path);
    for (const name of rule.rivals.keys()) put("setting one clears the other", `${path}.${name}`);
    for (const [name, inner] of rule.fields) visit(inner, `${path}.${name}`);
  };
  for (const [root, rule] of Object.entries(settingsRules())) visit(rule, root);
  return groups;
}

function isList(parts: Parts, path: string): boolean {
  const [block = "", name = ""] = path.split(/\.(?=[^.]*$)/);
  const fields = [...parts]
    .filter(([at]) => at === path || (at.replace(/<[^>]*>/, "") === block && at.includes("<")))
    .map(([at, schema]) => (at === path ? schema : propertiesOf(schema)[name]));
  return fields.some((schema) => schema !== undefined && typesOf(schema).includes("array"));
}

function mergeTable(): string {
  const groups = [...mergeGroups()].filter(([how]) => how !== list);
  const lists = mergeGroups().get(list) ?? [];
  const rows = groups.map(([how, fields]) => [fields.map((field) => `\`${field}\``).join(", "), how]);
  return markdownTable(
    ["field", "how"],
    [...rows, [lists.map((field) => `\`${field}\``).join(", "), list], ["all else", "the value of the highest layer that sets it"]],
  );
}
