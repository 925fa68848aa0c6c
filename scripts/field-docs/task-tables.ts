import { executedTypes } from "../../src/criteria/registry.ts";
import { type PathField, pathFields } from "../../src/plan/paths/path-fields.ts";
import { defaultEnvPassthrough } from "../../src/plan/schema/docker-schema.ts";
import { executedAgents } from "../../src/plan/unsupported.ts";
import { markdownTable } from "../readme/markdown-table.ts";
import { taskFileSchema } from "../schemas/publish.ts";
import {
  type FieldRow,
  fieldRows,
  type Kind,
  kindsOf,
  type Parts,
  partAt,
  partsOf,
  tableOfKinds,
  tableOfRows,
  topRows,
} from "./field-table.ts";
import { plannedTable } from "./planned.ts";

const criterionFields = [
  "description",
  "weight",
  "pass_threshold",
  "suite_thresholds",
  "stop_early",
  "stop_when",
  "stop_early.on_pass",
  "stop_early.decide_within",
];

/** The tables of `docs/tasks.md`, by the name of their markers. */
export function taskTables(): Readonly<Record<string, string>> {
  const parts = partsOf(taskFileSchema().schema);
  const block = (path: string, without: readonly string[] = []) => tableOfRows(fieldRows(partAt(parts, path), { without }));
  const criteria = kindsOf(partAt(parts, "success_criteria[]"), criterionFields);
  return {
    "task-fields": tableOfRows(topRows(partAt(parts, "")), anchors),
    "pre-run": block("pre_run[]"),
    "post-run": block("post_run[]"),
    "agent-fields": tableOfRows(fieldRows(partAt(parts, "agent<none>"), { without: ["type", "additional_ignore_patterns"] })),
    "agent-types": tableOfKinds(agentKinds(parts)),
    sandbox: block("sandbox", [
      "template_sources",
      "record_cli",
      ...namesBelow(parts, "sandbox.docker", "docker"),
      ...namesBelow(parts, "sandbox.record_cli[]", "record_cli[]"),
    ]),
    docker: block("sandbox.docker"),
    "env-passthrough": `${defaultEnvPassthrough.map((name) => `\`${name}\``).join(", ")}.`,
    templates: tableOfKinds(kindsOf(partAt(parts, "sandbox.template_sources[]"))),
    "record-cli": block("sandbox.record_cli[]"),
    "run-limits": block("run_limits"),
    "criterion-fields": tableOfRows(commonCriterionRows(parts)),
    ...Object.fromEntries(criteria.filter(({ name }) => executedTypes.has(name)).map(({ name, rows }) => [name, tableOfRows(rows)])),
    "planned-criteria": tableOfKinds(criteria.filter(({ name }) => !executedTypes.has(name))),
    dataset: block("dataset"),
    reference: block("reference"),
    simulation: block("simulation"),
    "checker-context": block("checker_context"),
    paths: pathsTable(),
    planned: plannedTable(),
  };
}

/** Of a type that has them all. */
function commonCriterionRows(parts: Parts): readonly FieldRow[] {
  const type = { name: "type", schema: { description: "Kind of criterion; what each kind looks at is below." }, required: true };
  const rows = fieldRows(partAt(parts, "success_criteria[]<command_executed>")).filter(({ name }) => criterionFields.includes(name));
  return [type, ...rows.map((row) => (row.name === "description" ? { ...row, required: true } : row))];
}

function agentKinds(parts: Parts): readonly Kind[] {
  const common = fieldRows(partAt(parts, "agent<none>")).map(({ name }) => name);
  const kinds = kindsOf(partAt(parts, "agent"), common);
  return kinds.map((kind) => (executedAgents.some((type) => type === kind.name) ? kind : { ...kind, text: `${kind.text} Not run yet.` }));
}

/** Where `docs/tasks.md` describes a block. */
const anchors: Readonly<Record<string, string>> = {
  agent: "agent",
  sandbox: "sandbox",
  success_criteria: "criteria",
  run_limits: "limits",
  reference: "not-run-yet",
  pre_run: "commands-before-and-after",
  post_run: "commands-before-and-after",
  dataset: "datasets-and-suites",
  simulation: "not-run-yet",
  checker_context: "not-run-yet",
};

function namesBelow(parts: Parts, path: string, prefix: string): readonly string[] {
  return fieldRows(partAt(parts, path)).map(({ name }) => `${prefix}.${name}`);
}

const bases: Readonly<Record<PathField["base"], string>> = {
  file: "its file",
  sandbox: "the sandbox",
  host: "absolute only",
};

const storedTexts: Readonly<Record<PathField["stored"], string>> = {
  inlined: "the file's text",
  absolute: "the absolute path",
  "as named": "the absolute path; as written where variables make it absolute",
  "as written": "as written",
};

function pathsTable(): string {
  const rows = pathFields.map(({ field, base, expands, stored, wanted, missing }) => [
    `\`${field}\``,
    base === "host" && wanted === undefined ? "no path" : bases[base],
    expands ? "yes" : "no",
    missing === undefined ? "" : missing.severity === "error" ? `error: no ${wanted?.noun}` : `warning: ${missing.outcome}`,
    storedTexts[stored],
  ]);
  return markdownTable(["field", "relative to", "`$NAME`, `~`", "nothing there", "recorded as"], rows);
}
