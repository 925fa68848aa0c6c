import { planJsonSchema } from "../../src/commands/plan-json.ts";
import { experimentSchema } from "../../src/plan/experiment/experiment-schema.ts";
import { taskSchema } from "../../src/plan/schema/task-schema.ts";
import { experimentText, taskText } from "../field-docs/field-docs.ts";
import type { FoundText } from "../field-docs/field-text.ts";
import { planText } from "../field-docs/plan-docs.ts";
import { describeFields } from "./describe.ts";
import { withEditorRules, withTaskRules } from "./editor-rules.ts";
import { schemaFromZod } from "./from-zod.ts";
import { type JsonSchema, mapSchema, without } from "./json-schema.ts";

interface Published {
  readonly schema: JsonSchema;
  /** Fields and kinds without a text. */
  readonly undescribed: readonly string[];
  /** Texts that were used. */
  readonly keys: ReadonlySet<string>;
}

const task = {
  $id: "task.schema.json",
  title: "evalbatch task",
  description: "A task file. Unknown fields at the top level are ignored with a warning; in every block they are errors.",
};

const experiment = {
  $id: "experiment.schema.json",
  title: "evalbatch experiment",
  description: "An experiment file: settings for all tasks, and the variants that are compared. Unknown fields are errors.",
};

const plan = {
  $id: "plan.schema.json",
  title: "evalbatch plan",
  description: "What `evalbatch plan --json` prints. Fields are only ever added; a change that a reader must know of raises `version`.",
};

/** The schema of task files, for editors. */
export function taskFileSchema(): Published {
  return described(task, withTaskRules(mapSchema(schemaFromZod(taskSchema, "input"), withEditorRules)), taskText);
}

/** The schema of experiment files, for editors. */
export function experimentFileSchema(): Published {
  const ruled = mapSchema(schemaFromZod(experimentSchema, "input"), withEditorRules);
  return described(experiment, mapSchema(ruled, withoutLayerDefaults), experimentText);
}

/** The schema of `plan --json`, for programs; open, since a later version may add fields. */
export function planOutputSchema(): Published {
  const open = mapSchema(schemaFromZod(planJsonSchema, "output"), (schema) =>
    schema.additionalProperties === false ? without(schema, "additionalProperties") : schema,
  );
  return described(plan, open, planText);
}

/** A setting that a layer leaves out is left to the other layers: it has no default there. */
function withoutLayerDefaults(schema: JsonSchema, path: string): JsonSchema {
  const setting = /^(?:defaults|variants\[\])\.(?:agent|run_limits|simulation|sandbox)\b/.test(path);
  return setting && !path.includes("[]", "variants[]".length) ? without(schema, "default") : schema;
}

function described(head: JsonSchema, schema: JsonSchema, textOf: (path: string) => FoundText | undefined): Published {
  const { schema: done, undescribed, keys } = describeFields(schema, textOf);
  const { $schema, ...rest } = done;
  return { schema: { $schema, ...head, ...rest }, undescribed, keys };
}

/** The files of `schemas/`, by name. */
export function publishedFiles(): Readonly<Record<string, string>> {
  const text = ({ schema }: Published) => `${JSON.stringify(schema, null, 2)}\n`;
  return {
    "task.schema.json": text(taskFileSchema()),
    "experiment.schema.json": text(experimentFileSchema()),
    "plan.schema.json": text(planOutputSchema()),
  };
}
