import { earlyStopVerdict } from "../criteria/early-stop/gate.ts";
import { type GradedCriterion, gradeTask, verdictOf, weightedScore } from "../criteria/grade.ts";
import { AgentError } from "../errors.ts";
import { commandEnvironment } from "../sandbox/environments/command-environment.ts";
import { createIgnore } from "../sandbox/templates/ignore-list.ts";
import { provideTaskDir } from "../sandbox/templates/task-directory.ts";
import type { AttemptEnd } from "./attempt.ts";
import type { PreparedSandbox, StageContext } from "./setup-stage.ts";

export interface GradeContext extends StageContext {
  readonly prepared: PreparedSandbox;
  /** How the attempt ends whatever the criteria say; undefined when they decide. */
  readonly early: AttemptEnd | undefined;
}

/**
 * Kills what the agent left running, then judges what it left behind. After a time-out or a crash the criteria are judged too, for
 * information (`post_failure_criteria_results`).
 * @throws SandboxLostError, or the signal's reason
 */
export async function gradeSandbox(context: GradeContext): Promise<AttemptEnd> {
  const { task, sandbox, attempt, log, early, signal } = context;
  const criteria = task.task.success_criteria;
  if (task.task.agent.type !== "none") {
    attempt.quiesced = await sandbox.quiesce(signal);
    if (attempt.quiesced.killed > 0) log.write("INFO", `killed ${attempt.quiesced.killed} processes that the agent had left running`);
  }
  const commands = criteria.flatMap((criterion) => (criterion.type === "run_command" ? [criterion.command] : []));
  const commandEnv = commands.length === 0 ? {} : await criterionEnvironment(context, commands);
  const results = await gradeTask(criteria, {
    sandbox,
    commandEnv,
    ignoredNames: createIgnore(task.task.sandbox.ignore_patterns),
    toolCalls: attempt.turns.length === 0 ? undefined : attempt.turns.flatMap((turn) => turn.commands),
    signal,
  });
  for (const result of results) {
    log.foreign(
      "criterion",
      `${result.criterion_type} '${result.description}': ${result.score.toFixed(2)}${result.error === null ? "" : ` (${result.error})`}`,
    );
  }
  const graded = { kind: "graded", passed: hasPassed(context, results), weightedScore: weightedScore(results, criteria) } as const;
  if (!graded.passed) attempt.outOfMemory = await sandbox.wasOutOfMemory();
  const end = decide(early, graded);
  if (end.kind === "graded") attempt.criteria = results;
  else attempt.postFailureCriteria = results;
  if (early !== undefined && end.kind === "graded") attempt.outOfMemory = true;
  log.write(
    "INFO",
    `criteria: ${results.filter((result) => result.score >= result.pass_threshold).length}/${results.length} passed, weighted score ${graded.weightedScore.toFixed(3)}`,
  );
  return end;
}

/** A run that was stopped because its armed criteria are decided is judged by them alone (formats.md 2.1). */
function hasPassed({ task, attempt }: GradeContext, results: readonly GradedCriterion[]): boolean {
  const { success_criteria: criteria, run_limits: limits } = task.task;
  if (attempt.agent?.stop?.kind !== "early stop") return verdictOf(results, criteria);
  return earlyStopVerdict(results, criteria, { stopEarly: limits.stop_early, gateThreshold: limits.stop_early_gate_threshold });
}

async function criterionEnvironment(context: GradeContext, commands: readonly string[]): Promise<Record<string, string>> {
  const { task, sandbox, log, prepared, signal } = context;
  const taskDir = await provideTaskDir(sandbox, task.taskDir, { commands, log: (line) => log.foreign("setup", line), signal });
  return commandEnvironment(sandbox, { python: prepared.python, mockDirs: prepared.mockDirs, taskDir, signal });
}

/** Pure: an agent that the memory limit killed after it had done its work has done its work. */
export function decide(early: AttemptEnd | undefined, graded: Extract<AttemptEnd, { kind: "graded" }>): AttemptEnd {
  if (early === undefined) return graded;
  const outOfMemory = early.kind === "error" && early.error instanceof AgentError && early.error.code === "out_of_memory";
  return outOfMemory && graded.passed ? graded : early;
}
