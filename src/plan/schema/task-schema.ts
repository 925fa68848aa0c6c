import { z } from "zod";
import { criterionSchema } from "../../criteria/criterion-schema.ts";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { agentSchema } from "./agent-schema.ts";
import { textOrNull } from "./field-types.ts";
import { postRunSchema, preRunSchema } from "./hook-schema.ts";
import { layering } from "./layering.ts";
import { runLimitsSchema } from "./run-limits-schema.ts";
import { sandboxSchema } from "./sandbox-schema.ts";
import { checkerContextSchema, datasetSchema, referenceSchema, simulationSchema } from "./suite-schema.ts";

export type { AgentConfig } from "./agent-schema.ts";
export type { DockerConfig } from "./docker-schema.ts";
export type { PostRunCommand, PreRunCommand } from "./hook-schema.ts";
export type { RunLimits } from "./run-limits-schema.ts";
export type { ResourceLimits, SandboxConfig } from "./sandbox-schema.ts";
export type { Dataset, ReferenceSource, SimulationConfig } from "./suite-schema.ts";
export type { TemplateSource } from "./template-schema.ts";

const tagPattern = /^[a-z0-9]+(-[a-z0-9]+)*(:[a-z0-9]+(-[a-z0-9]+)*)?$/;

const tag = z.string().regex(tagPattern, {
  message: "a tag is lower-case words joined by '-', at most one 'key:' before them (e.g. 'smoke', 'area:files')",
});

const taskFields = {
  task_id: z.string().refine((id) => id.trim() !== "", { message: "must not be blank" }),
  description: z.string(),
  initial_prompt: textOrNull,
  initial_prompt_file: textOrNull,
  tags: z.array(tag).default(() => []),
  skip: laxBool().default(false),
  agent: agentSchema.nullable().default(null),
  sandbox: sandboxSchema.prefault(() => ({})),
  success_criteria: z.array(criterionSchema).min(1, { message: "a task needs at least one criterion" }),
  run_limits: runLimitsSchema.nullable().default(null),
  reference: referenceSchema.nullable().default(null),
  expected_commands: laxInt(z.int().min(1)).nullable().default(null),
  pre_run: z
    .array(preRunSchema)
    .default(() => [])
    .register(layering, { merge: "append", order: "low-first" }),
  post_run: z
    .array(postRunSchema)
    .default(() => [])
    .register(layering, { merge: "append", order: "high-first" }),
  dataset: datasetSchema.nullable().default(null),
  suite_id: textOrNull,
  row_id: textOrNull,
  simulation: simulationSchema.nullable().default(null),
  checker_context: checkerContextSchema.nullable().optional(),
};

/** Field names of a task file's top level. */
export const taskFieldNames: readonly string[] = Object.keys(taskFields);

/**
 * A task file (formats.md 1), the union of what 0.8.2 to 0.12.16 accept. Unknown keys are dropped at the top level
 * (the loader warns) and refused below it. Rules across fields are in `task-rules.ts`.
 */
export const taskSchema = z.object(taskFields);

export type TaskDefinition = z.infer<typeof taskSchema>;
