/** A setting as the stamp keeps it: what it is and which layer said so. */
export interface StampedSetting {
  /** JSON. Of a long or secret one only a digest. */
  readonly value: unknown;
  /** Layer, e.g. `experiment-defaults`; `default` where nobody set it. */
  readonly source: string;
  /** The flag of a `cli` setting; null for others. */
  readonly detail: string | null;
}

/** Everything of one resolved task that can change its result. Equal for all replicates. */
export interface TaskStamp {
  /** Of the values of `settings` and of `content`; which layer set a value is no part of it. */
  readonly digest: string;
  /** By dotted path, e.g. `run_limits.max_turns`, sorted by code point: agent, limits and sandbox. */
  readonly settings: Readonly<Record<string, StampedSetting>>;
  /** Digests by part, sorted: `initial_prompt`, `success_criteria`, `pre_run`, …, `file templates/app/main.py`, `folder templates/app`. */
  readonly content: Readonly<Record<string, string>>;
}
