import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { RunLimits } from "../plan/schema/task-schema.ts";

/** Milliseconds that each stage of a task may take; every stage has a limit of its own, so that a hang is named. */
export interface StageLimits {
  /** Pull or build of the image. */
  readonly image: number;
  readonly start: number;
  /** Templates, environments and pre_run. */
  readonly setup: number;
  readonly agent: number;
  readonly grading: number;
  /** post_run and copying out. */
  readonly teardown: number;
}

const second = 1000;
const minute = 60 * second;
/** Package installs may take 300 s each (formats.md 1.4), a clone 90 s. */
const setupAllowance = 15 * minute;
const allowance = 2 * minute;
/** Used where no layer gives a limit. */
const defaultAgentSeconds = 600;

/** What a task's own limits add up to, with an allowance for our own work. */
export function stageLimits(task: ResolvedTask): StageLimits {
  const { pre_run, post_run, success_criteria } = task.task;
  const sum = (seconds: readonly number[]): number => seconds.reduce((total, each) => total + each, 0) * second;
  const criterionSeconds = success_criteria.map((criterion) =>
    "timeout" in criterion && typeof criterion.timeout === "number" ? criterion.timeout : 5,
  );
  return {
    image: 60 * minute,
    start: 5 * minute,
    setup: setupAllowance + sum(pre_run.map((hook) => hook.timeout)),
    // The adapter's own limit ends the agent's processes; this one only catches an adapter that hangs.
    agent: agentTimes(task).taskSeconds * second + minute,
    grading: allowance + sum(criterionSeconds),
    teardown: allowance + sum(post_run.map((hook) => hook.timeout)),
  };
}

/** What ends an attempt of the agent: the task's time gives TIMEOUT, the turn's ERROR (formats.md 5.8.6). */
export interface AgentLimit {
  readonly kind: "task" | "turn";
  readonly seconds: number;
}

/** How long the agent may take, in seconds. */
export interface AgentTimes {
  /** All attempts and the waits between them. */
  readonly taskSeconds: number;
  /** One attempt; undefined where the task's limit is as short. */
  readonly turnSeconds: number | undefined;
}

export function agentTimes(task: ResolvedTask): AgentTimes {
  return timesOf(task.task.run_limits);
}

export function timesOf({ task_timeout, turn_timeout }: RunLimits): AgentTimes {
  // A turn may be as long as its own limit says where nothing limits the task.
  const taskSeconds = task_timeout ?? Math.max(defaultAgentSeconds, (turn_timeout ?? 0) + 1);
  return { taskSeconds, turnSeconds: turn_timeout !== null && turn_timeout < taskSeconds ? turn_timeout : undefined };
}

/** Upper bound of a sandbox's life in seconds: everything after the image, twice the kill delays included. */
export function sandboxLifeSeconds(limits: StageLimits): number {
  const total = limits.start + limits.setup + limits.agent + limits.grading + limits.teardown;
  return Math.ceil((total + 5 * minute) / second);
}
