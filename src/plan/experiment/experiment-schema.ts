import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { freeMapping, textOrNull } from "../schema/field-types.ts";
import { postRunSchema, preRunSchema } from "../schema/hook-schema.ts";
import { runLimitsSchema } from "../schema/run-limits-schema.ts";
import { sandboxSchema } from "../schema/sandbox-schema.ts";
import { templateSourcesSchema } from "../schema/template-schema.ts";
import { partialAgentSchema, partialSimulationSchema } from "./partial-blocks.ts";

// formats.md 3.1. Unknown fields are refused everywhere.

const separator = z.string().default("\n\n");

const prefix = z.strictObject({ type: z.literal("prefix"), content: z.string(), separator });
const suffix = z.strictObject({ type: z.literal("suffix"), content: z.string(), separator });
const replace = z.strictObject({
  type: z.literal("replace"),
  pattern: z.string(),
  replacement: z.string(),
  /** Whether `pattern` is a regular expression of Python, and `replacement` a template of its `re.sub`. */
  regex: laxBool().default(false),
});
const template = z.strictObject({ type: z.literal("template"), variables: z.record(z.string(), z.string()) });

export const promptMutationSchema = z.discriminatedUnion("type", [prefix, suffix, replace, template]);

export type PromptMutation = z.infer<typeof promptMutationSchema>;

const blockFields = {
  repeats: laxInt(z.int().min(1)).nullable().default(null),
  agent: partialAgentSchema.nullable().default(null),
  run_limits: runLimitsSchema.nullable().default(null),
  simulation: partialSimulationSchema.nullable().default(null),
  driver: z.enum(["tempdir", "docker"]).nullable().default(null),
  template_sources: templateSourcesSchema.nullable().default(null),
  prompt_mutations: z.array(promptMutationSchema).nullable().default(null),
  /** Since 0.12.16. */
  checker_context: z.record(z.string(), freeMapping).nullable().optional(),
};

export const experimentDefaultsSchema = z.strictObject({
  ...blockFields,
  sandbox: sandboxSchema.nullable().default(null),
  pre_run: z.array(preRunSchema).nullable().default(null),
  post_run: z.array(postRunSchema).nullable().default(null),
});

export const experimentVariantSchema = z.strictObject({
  variant_id: z.string(),
  description: z.string().default(""),
  initial_prompt: textOrNull,
  initial_prompt_file: textOrNull,
  ...blockFields,
});

const kebabCase = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** An experiment file. Rules across fields are in `experiment-rules.ts`. */
export const experimentSchema = z.strictObject({
  experiment_id: z
    .string()
    .regex(kebabCase, { message: "an experiment_id is lower-case words and digits joined by '-' (e.g. 'model-comparison')" }),
  description: z.string().default(""),
  defaults: experimentDefaultsSchema.nullable().default(null),
  variants: z.array(experimentVariantSchema).min(1, { message: "an experiment needs at least one variant" }),
});

export type ExperimentDefaults = z.infer<typeof experimentDefaultsSchema>;
export type ExperimentVariant = z.infer<typeof experimentVariantSchema>;
export type ExperimentDefinition = z.infer<typeof experimentSchema>;
