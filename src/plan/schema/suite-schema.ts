import { z } from "zod";
import { laxBool, laxInt } from "../../schema/lax.ts";
import { freeMapping, textList, textOrNull } from "./field-types.ts";

// The blocks that change what a task is: reference, dataset, simulation, checker_context (formats.md 1.1, 1.6–1.8).

const given = (values: readonly unknown[]) => values.filter((value) => value !== null).length;

/** 0.8.2 to 0.10 know three forms, 0.11 and later only `directory`. */
export const referenceSchema = z
  .strictObject({ code: textOrNull, file: textOrNull, directory: textOrNull })
  .refine((reference) => given([reference.code, reference.file, reference.directory]) === 1, {
    message: "give exactly one of code, file, directory",
  })
  .refine((reference) => reference.directory?.trim() !== "", { path: ["directory"], message: "must not be blank" });

export const datasetSchema = z
  .strictObject({
    paths: textList.min(1).nullable().default(null),
    rows: z.array(freeMapping).min(1).nullable().default(null),
    id_field: z.string().default("id"),
    sample_per_stratum: laxInt(z.int().min(1)).nullable().default(null),
    stratify_field: z.string().default("expected_skill"),
    sample_seed: laxInt().nullable().default(null),
  })
  .refine((dataset) => given([dataset.paths, dataset.rows]) === 1, { message: "give exactly one of paths, rows" });

const nonBlank = z.string().refine((text) => text.trim() !== "", { message: "must not be blank" });

export const simulationSchema = z
  .strictObject({
    enabled: laxBool().default(false),
    persona: nonBlank,
    goal: nonBlank,
    constraints: textList.default(() => []),
    max_turns: laxInt(z.int().min(1).max(100)).default(8),
    stop_token: z.string().min(1).default("<<<END>>>"),
    stop_on_criteria_pass: laxBool().default(false),
    max_total_tokens: laxInt(z.int().positive()).nullable().default(null),
    n_trials: laxInt(z.int().min(1).max(100)).default(1),
    parallel_trials: laxBool().default(true),
    check_criteria: z.enum(["end_of_dialog", "every_turn", "both"]).default("end_of_dialog"),
    model: z.string().optional(),
  })
  .refine((simulation) => !simulation.stop_on_criteria_pass || simulation.check_criteria !== "end_of_dialog", {
    path: ["stop_on_criteria_pass"],
    message: "stop_on_criteria_pass needs check_criteria 'every_turn' or 'both'",
  });

export const checkerContextSchema = z.strictObject({
  api_route: z
    .strictObject({
      route: z.enum(["direct", "bedrock", "litellm"]).nullable().default(null),
      model: textOrNull,
      params: freeMapping.nullable().default(null),
      env_params: z.record(z.string(), z.string()).nullable().default(null),
    })
    .nullable()
    .default(null),
});

export type ReferenceSource = z.infer<typeof referenceSchema>;
export type Dataset = z.infer<typeof datasetSchema>;
export type SimulationConfig = z.infer<typeof simulationSchema>;
