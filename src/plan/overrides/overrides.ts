import type { Fields } from "../layers/merge.ts";

/** Settings of the command line or of the action's inputs, as they were given (formats.md 3.4). */
export interface OverrideFlags {
  /** `PATH=VALUE` each. */
  readonly set: readonly string[];
  readonly type?: string | undefined;
  readonly model?: string | undefined;
  readonly driver?: "docker" | "tempdir" | undefined;
  readonly repeats?: number | undefined;
  /** Image of docker tasks that name neither an image nor a Dockerfile. */
  readonly image?: string | undefined;
}

/** The highest layer: what beats task, experiment and variant. */
export interface Overrides {
  readonly agent: Fields;
  readonly run_limits: Fields;
  readonly sandbox: Fields;
  readonly repeats?: number | undefined;
  /** Not a layer: only for docker tasks that name neither an image nor a Dockerfile in any layer. */
  readonly image?: string | undefined;
  /** `source_detail` of a lineage entry: `-D run_limits.max_turns`, or `--type`. */
  readonly detailOf: (path: string) => string;
}
