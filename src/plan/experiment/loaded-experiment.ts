import type { Issue } from "../../errors.ts";
import type { Fields } from "../layers/merge.ts";
import type { PostRunCommand, PreRunCommand } from "../schema/hook-schema.ts";
import type { TemplateSource } from "../schema/template-schema.ts";
import type { ParsedYaml } from "../yaml/yaml.ts";
import type { PromptMutation } from "./experiment-schema.ts";

/** What one block of an experiment file sets (formats.md 3.1): its `defaults`, or a variant. Only what the file really sets is there; paths are absolute. */
export interface ExperimentLayer {
  readonly agent?: Fields | undefined;
  readonly run_limits?: Fields | undefined;
  /** With the block's `driver`, which beats a nested one, and without `template_sources`. */
  readonly sandbox?: Fields | undefined;
  readonly simulation?: Fields | undefined;
  readonly repeats?: number | undefined;
  readonly template_sources: readonly TemplateSource[];
  readonly prompt_mutations: readonly PromptMutation[];
  /** Only `defaults` can have commands. */
  readonly pre_run: readonly PreRunCommand[];
  readonly post_run: readonly PostRunCommand[];
  /** Where the block stands in the file, for messages: `["defaults"]`, `["variants", 2]`. */
  readonly path: readonly PropertyKey[];
}

export interface LoadedVariant extends ExperimentLayer {
  readonly variantId: string;
  readonly description: string;
  /** Takes the place of every task's prompt, and switches all mutations off. A prompt file is read already. */
  readonly initial_prompt?: string | undefined;
}

export interface LoadedExperiment {
  readonly experimentId: string;
  readonly description: string;
  /** As messages name it; null for the built-in default experiment. */
  readonly file: string | null;
  readonly defaults: ExperimentLayer;
  /** At least one, in the file's order. */
  readonly variants: readonly LoadedVariant[];
  readonly parsed: ParsedYaml | undefined;
  readonly warnings: readonly Issue[];
}
