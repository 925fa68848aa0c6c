import { createHash } from "node:crypto";
import type { Env } from "../expand-path.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import type { TaskStamp } from "./task-stamp.ts";

export interface Stamps {
  of(task: ResolvedTask): TaskStamp;
  readonly folders: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What could not be read, one line each. */
  readonly problems: readonly string[];
}

export interface StampOptions {
  /** Absolute. */
  readonly cwd: string;
  readonly env: Env;
  /** Hides secrets. */
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal | undefined;
}

/** Stamps of the resolved definitions. */
export async function stampTasks(_tasks: readonly ResolvedTask[], _options: StampOptions): Promise<Stamps> {
  return {
    of: (task) => {
      const digest = createHash("sha256").update(JSON.stringify(task.task)).digest("hex").slice(0, 16);
      return { digest, settings: {}, content: { task: digest } };
    },
    folders: {},
    problems: [],
  };
}
