import { z } from "zod";
import type { Plan } from "../plan/plan.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { recordSelection } from "../results/selection.ts";

// `plan --json`. Fields are only ever added; a change that a reader has to know of raises `version`.

const free = z.record(z.string(), z.unknown());

const lineageEntrySchema = z.object({
  value: z.unknown(),
  source: z.enum(["default", "experiment-defaults", "task", "variant", "cli", "mutation"]),
  source_detail: z.string().nullable(),
});

const plannedTaskSchema = z.object({
  key: z.string().describe("<variant>/<task_id>/<NN>, unique in the plan"),
  task_id: z.string(),
  suite_id: z.string().nullable().describe("id of the dataset task that this row comes from"),
  row_id: z.string().nullable(),
  variant_id: z.string(),
  replicate_index: z.int().min(0),
  file: z.string().describe("the task file; POSIX separators, relative to the working directory where it lies below it"),
  result_dir: z.string().describe("where the results will lie below the run directory"),
  driver: z.enum(["tempdir", "docker"]),
  image: z.string().nullable().describe("null for tempdir, and where a Dockerfile is built"),
  dockerfile: z.string().nullable(),
  agent: z.string().nullable(),
  model: z.string().nullable(),
  tags: z.array(z.string()),
  criteria: z.array(z.object({ type: z.string(), description: z.string(), weight: z.number() })),
  run_limits: free,
  limits: free.describe("sandbox.limits"),
  not_supported: z.array(z.string()).describe("what the task needs and this version does not run yet; empty: it would run"),
  resolved: free.describe("the whole task with every layer applied, as task.json will hold it"),
  lineage: z.record(z.string(), lineageEntrySchema).describe("which layer set what, by dotted path"),
});

const issueSchema = z.object({
  severity: z.enum(["error", "warning"]),
  code: z.string().describe("stable word, see docs/errors.md"),
  message: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
  column: z.int().optional(),
  field: z.string().optional(),
  hint: z.string().optional(),
  merged_with: z.string().optional().describe("the task file that the experiment named by file is at odds with"),
});

const headSchema = z.object({
  version: z.literal(1),
  experiment: z.object({
    experiment_id: z.string(),
    description: z.string(),
    file: z.string().nullable().describe("null: no experiment was asked for"),
    variants: z.array(z.object({ variant_id: z.string(), description: z.string() })),
  }),
  selection: z
    .object({
      datasets: z.array(
        z.object({
          suite_id: z.string().describe("id of the dataset task"),
          rows_total: z.int().describe("rows in the dataset"),
          rows_selected: z.int().describe("rows that would run"),
          mode: z.string().describe("all, sample or per-stratum"),
          seed: z.string().nullable().describe("null: nothing was drawn"),
          limit: z.int().nullable().describe("rows asked for, in all or per stratum"),
        }),
      ),
      cap: z
        .object({ max_tasks: z.int(), planned: z.int().describe("tasks before the cap"), kept: z.int(), seed: z.string() })
        .nullable()
        .describe("null: everything fits"),
    })
    .nullable()
    .describe("what was drawn from what; null: there was nothing to draw from"),
  skipped: z.array(z.object({ path: z.string(), reason: z.string(), kind: z.enum(["skip", "invalid"]) })),
  issues: z.array(issueSchema),
  load_failures: z.int().describe("files that cannot run; more than 0 makes the exit code 1"),
});

/** The output of `plan --json`; published as schemas/plan.schema.json. */
export const planJsonSchema = headSchema.extend({ tasks: z.array(plannedTaskSchema).describe("in the order in which they would start") });

/** The plan as JSON in pieces: a plan of many tasks is longer than a string may be. */
export function* planJsonChunks(plan: Plan): Generator<string> {
  const head: z.infer<typeof headSchema> = {
    version: 1,
    experiment: {
      experiment_id: plan.experiment.experimentId,
      description: plan.experiment.description,
      file: plan.experiment.file,
      variants: plan.experiment.variants.map(({ variantId, description }) => ({ variant_id: variantId, description })),
    },
    selection: recordSelection(plan),
    skipped: [...plan.skipped],
    issues: plan.issues.map(definedOnly),
    load_failures: plan.loadFailures,
  };
  yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "tasks": [`;
  let separator = "\n    ";
  for (const task of plan.tasks) {
    yield separator + JSON.stringify(plannedTask(task), null, 2).replaceAll("\n", "\n    ");
    separator = ",\n    ";
  }
  yield plan.tasks.length === 0 ? "]\n}\n" : "\n  ]\n}\n";
}

function definedOnly(issue: Plan["issues"][number]): z.infer<typeof issueSchema> {
  const { severity, code, message, file, line, column, field, hint, mergedWith } = issue;
  return {
    severity,
    code,
    message,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
    ...(field === undefined ? {} : { field }),
    ...(hint === undefined ? {} : { hint }),
    ...(mergedWith === undefined ? {} : { merged_with: mergedWith }),
  };
}

function plannedTask(planned: ResolvedTask): z.infer<typeof plannedTaskSchema> {
  const { task, lineage } = planned;
  const { driver, docker } = task.sandbox;
  return {
    key: planned.key,
    task_id: planned.taskId,
    suite_id: task.suite_id,
    row_id: task.row_id,
    variant_id: planned.variantId,
    replicate_index: planned.replicateIndex,
    file: planned.taskFile,
    result_dir: planned.resultDir,
    driver,
    image: driver === "docker" && docker.dockerfile_path === null ? docker.image : null,
    dockerfile: driver === "docker" ? docker.dockerfile_path : null,
    agent: task.agent.type,
    model: task.agent.model,
    tags: task.tags,
    criteria: task.success_criteria.map(({ type, description, weight }) => ({ type, description, weight })),
    run_limits: task.run_limits,
    limits: task.sandbox.limits,
    not_supported: [...planned.notSupported],
    resolved: task,
    lineage: { ...lineage },
  };
}
