import type { z } from "zod";
import type { Issue } from "../../errors.ts";
import { issueAt, problemsOfZod } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { Lineage, LineageEntry, ResolvedDefinition } from "../resolved-task.ts";
import { agentSchema } from "../schema/agent-schema.ts";
import { isMapping } from "../schema/field-types.ts";
import { runLimitsSchema } from "../schema/run-limits-schema.ts";
import { sandboxSchema } from "../schema/sandbox-schema.ts";
import { defaultExperiment } from "./default-layer.ts";
import { type Fields, type Layer, mergeLayers, pickSet, type Root } from "./merge.ts";

/** Settings of the command line that beat the task's own. */
export interface Overrides {
  readonly driver?: "docker" | "tempdir" | undefined;
  /** Image of docker tasks that name neither an image nor a Dockerfile. */
  readonly image?: string | undefined;
}

export type Layered =
  | { readonly kind: "resolved"; readonly task: ResolvedDefinition; readonly lineage: Lineage }
  | { readonly kind: "problem"; readonly issues: readonly Issue[] };

/**
 * Puts the built-in defaults below a task and the command line above it (formats.md 3.2). The merged blocks are
 * validated again, because a value of one layer can be wrong together with another's (`sdk_options` for codex).
 */
export function applyLayers(loaded: LoadedTask, overrides: Overrides): Layered {
  const layers = [defaultLayer(), taskLayer(loaded), overrideLayer(loaded, overrides)];
  const lineage = new Map<string, LineageEntry>();
  const issues: Issue[] = [];
  const merge = <Schema extends z.ZodType>(root: Root, schema: Schema): z.output<Schema> | undefined => {
    const merged = mergeLayers(root, layers);
    const checked = schema.safeParse(merged.fields);
    if (!checked.success) {
      const problems = problemsOfZod(schema, merged.fields, checked.error);
      issues.push(...problems.map((problem) => issueAt(loaded.parsed, { ...problem, path: [root, ...problem.path] })));
      return undefined;
    }
    for (const [path, entry] of merged.lineage)
      lineage.set(path, entry.source === "cli" ? wholeEntry(path, entry, root, checked.data) : entry);
    return checked.data;
  };
  const agent = merge("agent", agentSchema);
  const run_limits = merge("run_limits", runLimitsSchema);
  const sandbox = merge("sandbox", sandboxSchema);
  if (agent === undefined || run_limits === undefined || sandbox === undefined) return { kind: "problem", issues };
  lineage.set("repeats", { value: 1, source: "default", source_detail: null });
  const { definition } = loaded;
  return {
    kind: "resolved",
    task: { ...definition, agent, sandbox, run_limits, post_run: [...definition.post_run, ...defaultExperiment.post_run] },
    lineage: Object.fromEntries(lineage),
  };
}

/** Without an experiment file the default experiment is the active one, and its values count as its defaults. */
function defaultLayer(): Layer {
  return { source: "experiment-defaults", agent: defaultExperiment.agent, run_limits: defaultExperiment.run_limits };
}

function taskLayer(loaded: LoadedTask): Layer {
  const block = (root: Root): Fields | undefined => {
    const picked = pickSet(loaded.fields[root], loaded.definition[root]);
    return isMapping(picked) && isMapping(loaded.fields[root]) ? picked : undefined;
  };
  const { template_sources, ...sandbox } = block("sandbox") ?? {};
  return {
    source: "task",
    agent: block("agent"),
    run_limits: block("run_limits"),
    // Template sources are merged apart in every layer, and so come last.
    sandbox: template_sources === undefined ? sandbox : { ...sandbox, template_sources },
  };
}

function overrideLayer(loaded: LoadedTask, overrides: Overrides): Layer {
  const docker = loaded.definition.sandbox.docker;
  const named = isMapping(loaded.fields.sandbox) && isMapping(loaded.fields.sandbox.docker) && "image" in loaded.fields.sandbox.docker;
  const sandbox: Record<string, unknown> = {};
  if (overrides.driver !== undefined) sandbox.driver = overrides.driver;
  if (overrides.image !== undefined && !named && docker.dockerfile_path === null) sandbox.docker = { image: overrides.image };
  return { source: "cli", sandbox, detailOf: (path) => `-D ${path}` };
}

/** Entries of the command line hold the whole validated block, as 0.8.2 writes them. */
function wholeEntry(path: string, entry: LineageEntry, root: Root, validated: unknown): LineageEntry {
  const value = isMapping(validated) ? validated[path.slice(root.length + 1)] : undefined;
  return isMapping(entry.value) ? { ...entry, value } : entry;
}
