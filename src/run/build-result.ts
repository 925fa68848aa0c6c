import { AgentError, assertNever, errorMessage } from "../errors.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { FinalStatus } from "../results/final-status.ts";
import type { AttemptFacts, EvaluationResult } from "../results/task-result.ts";
import { visibleText } from "../untrusted/characters.ts";
import type { Attempt, AttemptEnd } from "./attempt.ts";
import { toErrorContext } from "./error-context.ts";
import { sumTurns } from "./sum-turns.ts";

export interface ResultContext {
  readonly version: string;
  readonly completedAt: Date;
  readonly durationSeconds: number;
  /** Facts of the host for `environment_info`. */
  readonly environmentInfo: Readonly<Record<string, unknown>>;
  /** Last part of `task.log`. */
  readonly logTail: string;
}

/** Characters of a build log that a BUILD_FAILED result keeps (formats.md 5.1). */
const buildLogTail = 200_000;

/** Pure: what was seen in an attempt, as `task.json` tells it (formats.md 5). */
export function buildResult(task: ResolvedTask, attempt: Attempt, end: AttemptEnd, context: ResultContext): EvaluationResult {
  const { task: definition } = task;
  const status = statusOf(end);
  const sums = sumTurns(attempt.turns, definition.expected_commands);
  const ranOut = attempt.agent?.stop?.kind === "max turns" || attempt.turns.at(-1)?.max_turns_exhausted === true;
  return {
    task_id: task.taskId,
    task_description: definition.description,
    variant_id: task.variantId,
    agent_type: definition.agent.type ?? "unknown",
    // The default model of the built-in layer reaches agents without a model too (0.8.2 names it nevertheless).
    model_used: sums.model_used,
    started_at: attempt.startedAt.toISOString(),
    completed_at: context.completedAt.toISOString(),
    duration_seconds: context.durationSeconds,
    setup_ms: sumOf(attempt.stagesMs, ["image", "start", "setup"]),
    grading_ms: attempt.stagesMs.grading ?? null,
    final_status: status,
    max_turns_exhausted: ranOut,
    weighted_score: weightedScoreOf(end),
    iteration_count: attempt.turns.length,
    success_criteria_results: attempt.criteria,
    post_failure_criteria_results: attempt.postFailureCriteria,
    iterations: attempt.turns,
    error_message: messageOf(end),
    error_details: detailsOf(task, end, context.completedAt),
    error_log_tail: logTailOf(status, end, context.logTail),
    environment_info: {
      ...context.environmentInfo,
      ...(Object.keys(attempt.installedTools).length > 0 ? { installed_tools: attempt.installedTools } : {}),
      ...(Object.keys(attempt.versions).length > 0 ? { env_probe: attempt.versions } : {}),
      ...agentFacts(attempt),
    },
    // coder_eval takes a result whose agent it does not know for broken; `task_config` has the settings all the same.
    agent_config: definition.agent.type === "command" ? null : definition.agent,
    sdk_options: null,
    sandbox_path: attempt.artifactsDir ?? null,
    task_config: { resolved: definition, source_yaml: task.sourceYaml, source_file: task.taskFile, lineage: task.lineage },
    command_stats: sums.command_stats,
    total_token_usage: sums.total_token_usage,
    total_assistant_turns: sums.total_assistant_turns,
    expected_commands: definition.expected_commands,
    actual_commands: sums.actual_commands,
    commands_efficiency: sums.commands_efficiency,
    pre_run_results: attempt.preRun,
    post_run_results: attempt.postRun,
    simulation: null,
    early_stop: attempt.agent?.stop?.kind === "early stop" ? { ...attempt.agent.stop.info } : null,
    evalbatch: factsOf(task, attempt, context.version),
  };
}

/** What the agent said about itself (formats.md 5.7). */
function agentFacts({ agent, versions }: Attempt): Record<string, unknown> {
  const { sessionId, skills, version } = agent?.facts ?? {};
  const claude = versions["claude-code"];
  return {
    ...(claude === undefined ? {} : { claude_code_cli: claude }),
    ...(version === undefined ? {} : { agent_version: version }),
    ...(sessionId === undefined ? {} : { agent_session_id: sessionId }),
    ...(skills === undefined ? {} : { skills_offered: [...skills] }),
  };
}

function statusOf(end: AttemptEnd): FinalStatus {
  switch (end.kind) {
    case "graded":
      return end.passed ? "SUCCESS" : "FAILURE";
    case "max turns":
      return "MAX_TURNS_EXHAUSTED";
    case "budget exceeded":
      return end.budget === "tokens" ? "TOKEN_BUDGET_EXCEEDED" : "COST_BUDGET_EXCEEDED";
    case "task timeout":
      return "TIMEOUT";
    case "build failed":
      return "BUILD_FAILED";
    case "error":
      return "ERROR";
    default:
      return assertNever(end);
  }
}

/** 0 where the task ran and was not judged, null where it never came to run (formats.md 5.1). */
function weightedScoreOf(end: AttemptEnd): number | null {
  if (end.kind === "graded" || end.kind === "max turns" || end.kind === "budget exceeded") return end.weightedScore;
  if (end.kind === "build failed" || (end.kind === "error" && end.component === "sandbox.image")) return null;
  return 0;
}

function messageOf(end: AttemptEnd): string | null {
  switch (end.kind) {
    case "graded":
    case "max turns":
      return null;
    case "budget exceeded":
      return end.message;
    case "task timeout":
      return `Task timed out after ${end.seconds}s`;
    case "build failed":
    case "error":
      return errorMessage(end.error);
  }
}

function detailsOf(task: ResolvedTask, end: AttemptEnd, at: Date): EvaluationResult["error_details"] {
  const place = { taskId: task.taskId, agentType: task.task.agent.type ?? "unknown", at };
  switch (end.kind) {
    case "graded":
    case "max turns":
      return null;
    case "budget exceeded":
      return toErrorContext(new AgentError("budget_exceeded", end.message), {
        ...place,
        component: end.budget === "tokens" ? "orchestrator.run_limits.tokens" : "orchestrator.run_limits.cost",
        tip: "raise the limit in the task's run_limits, or ask for less in the prompt",
      });
    case "task timeout":
      return toErrorContext(new AgentError("agent_timeout", messageOf(end) ?? ""), {
        ...place,
        component: "orchestrator.task_timeout",
        category: "agent_timeout",
      });
    case "build failed":
      return toErrorContext(end.error, { ...place, component: "sandbox.image", category: "image_build_error" });
    case "error":
      return toErrorContext(end.error, { ...place, component: end.component, agent: end.agent });
  }
}

function logTailOf(status: FinalStatus, end: AttemptEnd, logTail: string): string | null {
  if (end.kind === "build failed") return visibleText(end.error.log).slice(-buildLogTail);
  return status === "SUCCESS" || status === "MAX_TURNS_EXHAUSTED" ? null : logTail;
}

function sumOf(stages: Readonly<Record<string, number>>, names: readonly string[]): number | null {
  const known = names.map((name) => stages[name]).filter((ms) => ms !== undefined);
  return known.length === 0 ? null : known.reduce((sum, ms) => sum + ms, 0);
}

function factsOf(task: ResolvedTask, attempt: Attempt, version: string): AttemptFacts {
  const { facts, artifacts } = attempt;
  return {
    version,
    attempt: attempt.history.attempt,
    earlier_attempts: [...attempt.history.earlier],
    stamp: attempt.stamp,
    cut_short: attempt.cutShort ?? null,
    replicate_index: task.replicateIndex,
    suite_id: task.task.suite_id,
    row_id: task.task.row_id,
    tags: task.task.tags,
    task_path: task.taskFile,
    sandbox:
      facts === undefined
        ? null
        : {
            driver: facts.driver,
            image: facts.image ?? null,
            image_id: facts.imageId ?? null,
            container_id: facts.containerId ?? null,
            engine_version: facts.engineVersion ?? null,
            memory_bytes: facts.limits?.memoryBytes ?? null,
            cpus: facts.limits?.cpus ?? null,
            pids: facts.limits?.pids ?? null,
          },
    stages_ms: attempt.stagesMs,
    out_of_memory: attempt.outOfMemory,
    processes_killed: attempt.quiesced?.killed ?? null,
    artifacts:
      artifacts === undefined
        ? null
        : {
            files: artifacts.files,
            bytes: artifacts.bytes,
            left_out_count: artifacts.leftOutCount,
            left_out: artifacts.leftOut.map(({ path, reason }) => ({ path, reason })),
          },
    warnings: attempt.warnings,
  };
}
