import { join } from "node:path";
import type { AgentEvent } from "../agents/agent-event.ts";
import { getAgent } from "../agents/registry.ts";
import type { Clock } from "../clock.ts";
import { EnvironmentError, errorMessage, ImageBuildError } from "../errors.ts";
import type { Kit } from "../kits/kit-recipe.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { AttemptHistory } from "../results/resume/attempt-history.ts";
import type { EvaluationResult, HookResult } from "../results/task-result.ts";
import type { Sandbox, SandboxDriver, SandboxRequest } from "../sandbox/sandbox.ts";
import type { Redactor } from "../untrusted/redact.ts";
import { openAgentRecord } from "./agent-record.ts";
import { type AgentSurroundings, runAgentStage } from "./agent-stage.ts";
import { type Attempt, type AttemptEnd, type Component, newAttempt } from "./attempt.ts";
import type { StopReason, TaskEnd } from "./batch.ts";
import { buildResult } from "./build-result.ts";
import { withDeadline } from "./deadline.ts";
import { mayBeEngineLoss } from "./engine-loss.ts";
import { gradeSandbox } from "./grade-stage.ts";
import { runHooks } from "./hooks.ts";
import { keepArtifacts } from "./keep-artifacts.ts";
import { applyLimits } from "./limit-verdict.ts";
import { type StageLimits, sandboxLifeSeconds, stageLimits } from "./limits.ts";
import type { Preservation } from "./preservation.ts";
import type { VersionProbes } from "./probe-stage.ts";
import { type PreparedSandbox, prepareSandbox, type SharedSetup } from "./setup-stage.ts";
import { componentOf, type Stage } from "./stages.ts";
import { openTaskLog, readLogTail, type TaskLog } from "./task-log.ts";

/** What one task's life needs from its surroundings. */
export interface TaskLifeDeps {
  readonly version: string;
  readonly runDir: string;
  readonly clock: Clock;
  readonly environmentInfo: Readonly<Record<string, unknown>>;
  readonly shared: SharedSetup;
  readonly probes: VersionProbes;
  driverFor(kind: "docker" | "tempdir"): SandboxDriver;
  /** Variables that the task's sandbox gets, with warnings about those it does not get. */
  environmentFor(task: ResolvedTask): { readonly env: Readonly<Record<string, string>>; readonly warnings: readonly string[] };
  preservationFor(task: ResolvedTask): Preservation;
  readonly redactor: Redactor;
  /** Removes what an earlier attempt left at this place, since a stale result must never count for this one, and tells what it was. */
  beginAttempt(directory: string, startedAt: Date): Promise<AttemptHistory>;
  /** Digest of what the task runs with. */
  stampOf(task: ResolvedTask): string | null;
  onStage(task: ResolvedTask, stage: Stage): void;
  onOutput(task: ResolvedTask, source: string, text: string): void;
  /** An event of an agent, and what it says in a line. */
  onEvent(task: ResolvedTask, event: AgentEvent, line: string): void;
  readonly agents: AgentSurroundings;
  /** The programs that the task's sandbox needs. @throws EnvironmentError */
  kitsFor(task: ResolvedTask, driver: SandboxDriver): Promise<readonly Kit[]>;
  /** Something that makes further starts pointless. */
  stopBatch(reason: StopReason): void;
}

/** Bytes of `task.log` that a result keeps (formats.md 5.1). */
const logTailBytes = 200_000;

/**
 * One attempt of one task, from its image to its result. Whatever fails inside ends in a result; only what concerns the whole run (its
 * directory can't be written) is thrown. An abort gives "interrupted" and no result: such a row is not finished (formats.md 12.26).
 */
export async function runTaskLife(task: ResolvedTask, deps: TaskLifeDeps, signal: AbortSignal): Promise<TaskEnd<EvaluationResult>> {
  const startedMs = deps.clock.monotonicMs();
  const startedAt = deps.clock.now();
  const dir = join(deps.runDir, task.resultDir);
  const attempt = newAttempt(startedAt, await deps.beginAttempt(dir, startedAt), deps.stampOf(task));
  const logDeps = { clock: deps.clock, redact: (text: string) => deps.redactor.redact(text).text };
  const log = await openTaskLog(join(dir, "task.log"), logDeps);
  const sandboxLog = task.task.sandbox.driver === "docker" ? await openTaskLog(join(dir, "docker.log"), logDeps) : log;
  const end = await new TaskLife(task, deps, attempt, { log, sandboxLog }, signal).live();
  if (sandboxLog !== log) await sandboxLog.close();
  if (end === undefined) {
    log.write("WARNING", "interrupted: this attempt has no result");
    await log.close();
    return { kind: "interrupted" };
  }
  const durationSeconds = (deps.clock.monotonicMs() - startedMs) / 1000;
  if (end.kind === "error" || end.kind === "build failed") log.write("ERROR", errorMessage(end.error));
  log.write("INFO", `task finished: ${end.kind}, ${durationSeconds.toFixed(1)} s`);
  await log.close();
  const logTail = end.kind === "graded" && end.passed ? "" : await readLogTail(join(dir, "task.log"), logTailBytes);
  const { version, environmentInfo } = deps;
  const result = buildResult(task, attempt, end, { version, environmentInfo, durationSeconds, completedAt: deps.clock.now(), logTail });
  return { kind: "finished", result };
}

/** The stages of one attempt; the sandbox it works in is stopped on every way out. */
class TaskLife {
  readonly #task: ResolvedTask;
  readonly #deps: TaskLifeDeps;
  readonly #attempt: Attempt;
  readonly #log: TaskLog;
  /** Pulls, builds, starts. */
  readonly #sandboxLog: TaskLog;
  readonly #signal: AbortSignal;
  readonly #limits: StageLimits;
  #component: Component = "sandbox.image";

  constructor(task: ResolvedTask, deps: TaskLifeDeps, attempt: Attempt, logs: { log: TaskLog; sandboxLog: TaskLog }, signal: AbortSignal) {
    this.#task = task;
    this.#deps = deps;
    this.#attempt = attempt;
    this.#log = logs.log;
    this.#sandboxLog = logs.sandboxLog;
    this.#signal = signal;
    this.#limits = stageLimits(task);
  }

  /** @returns undefined when the batch was stopped meanwhile */
  async live(): Promise<AttemptEnd | undefined> {
    try {
      const driver = this.#deps.driverFor(this.#task.task.sandbox.driver);
      const request = await this.#stage("image", async (signal) => {
        const complete = { ...this.#request(), kits: await this.#deps.kitsFor(this.#task, driver) };
        await driver.prepare(complete, signal);
        return complete;
      });
      await using sandbox = await this.#stage("start", (signal) => driver.start(request, signal));
      this.#attempt.facts = sandbox.facts;
      const end = await this.#judge(sandbox);
      await this.#tearDown(sandbox);
      return end;
    } catch (error) {
      return this.#signal.aborted ? undefined : await this.#endOf(error);
    }
  }

  async #judge(sandbox: Sandbox): Promise<AttemptEnd> {
    const context = { task: this.#task, sandbox, attempt: this.#attempt, log: this.#log, shared: this.#deps.shared };
    try {
      const prepared = await this.#stage("setup", (signal) => prepareSandbox({ ...context, signal }));
      this.#attempt.versions = await this.#deps.probes.of({ ...context, prepared, signal: this.#signal });
      const early = await this.#stage("agent", (signal) => this.#runAgent(sandbox, prepared, signal));
      const graded = await this.#stage("grading", (signal) => gradeSandbox({ ...context, prepared, early, signal }));
      return this.#withLimits(graded);
    } catch (error) {
      if (this.#signal.aborted) throw error;
      return await this.#endOf(error);
    }
  }

  #withLimits(graded: AttemptEnd): AttemptEnd {
    const { turns, agent } = this.#attempt;
    const { end, warnings } = applyLimits(graded, { turns, limits: this.#task.task.run_limits, stopped: agent?.stop });
    for (const warning of warnings) this.#warn(warning);
    return end;
  }

  /** @returns how the task ends whatever the criteria say; undefined when they decide */
  async #runAgent(sandbox: Sandbox, prepared: PreparedSandbox, signal: AbortSignal): Promise<AttemptEnd | undefined> {
    const deps = this.#deps;
    const [task, log] = [this.#task, this.#log];
    const parts = {
      log,
      redactor: deps.redactor,
      show: (stream: string, text: string) => deps.onOutput(task, stream, text),
      showEvent: (event: AgentEvent, line: string) => deps.onEvent(task, event, line),
    };
    const structured = getAgent(task.task.agent.type ?? "none").cli !== undefined;
    const opened = await openAgentRecord(parts, { directory: join(deps.runDir, task.resultDir), structured, clock: deps.clock });
    const { agents, shared } = deps;
    const sandboxEnv = deps.environmentFor(task).env;
    const context = { task, sandbox, attempt: this.#attempt, log, shared, signal, prepared, agents, record: opened.record, sandboxEnv };
    try {
      return await runAgentStage(context);
    } finally {
      await opened.close();
    }
  }

  /** post_run and copying out: their failure is a warning, the verdict stands. */
  async #tearDown(sandbox: Sandbox): Promise<void> {
    const { post_run } = this.#task.task;
    const context = { task: this.#task, sandbox, attempt: this.#attempt, log: this.#log };
    const onResult = (record: HookResult): void => void this.#attempt.postRun.push(record);
    try {
      await this.#stage("teardown", async (signal) => {
        await runHooks("post_run", post_run, { ...context, signal, onResult });
        await keepArtifacts({ ...context, preservation: this.#deps.preservationFor(this.#task), runDir: this.#deps.runDir, signal });
      });
    } catch (error) {
      // The verdict stands, also when the batch is stopped now: what the agent did was paid for.
      if (this.#signal.aborted) return this.#warn("stopped after the verdict: post_run and the copy of the files may be incomplete");
      await this.#noteFatal(error);
      this.#warn(`after the verdict: ${errorMessage(error)}`);
    }
  }

  async #stage<T>(stage: Stage, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.#component = componentOf[stage];
    this.#deps.onStage(this.#task, stage);
    const startedMs = this.#deps.clock.monotonicMs();
    try {
      return await withDeadline(stage, this.#limits[stage], this.#signal, work);
    } finally {
      this.#attempt.stagesMs[stage] = this.#deps.clock.monotonicMs() - startedMs;
    }
  }

  #request(): SandboxRequest {
    const { env, warnings } = this.#deps.environmentFor(this.#task);
    for (const warning of warnings) this.#warn(warning);
    return {
      key: this.#task.key,
      isForAgent: getAgent(this.#task.task.agent.type ?? "none").cli !== undefined,
      taskId: this.#task.taskId,
      config: this.#task.task.sandbox,
      taskDir: this.#task.taskDir,
      env,
      lifeSeconds: sandboxLifeSeconds(this.#limits),
      directory: this.#deps.preservationFor(this.#task).workIn,
      log: (line) => this.#sandboxLog.foreign("sandbox", line),
    };
  }

  async #endOf(error: unknown): Promise<AttemptEnd> {
    const component = this.#component;
    if (error instanceof ImageBuildError) return { kind: "build failed", error };
    await this.#noteFatal(error);
    return { kind: "error", component, error };
  }

  /** One task can bring the engine to be silent for it alone, so the engine is asked before the batch is given up. */
  async #noteFatal(error: unknown): Promise<void> {
    const driver = this.#deps.driverFor(this.#task.task.sandbox.driver);
    if (mayBeEngineLoss(error) && !(await driver.answers())) this.#stopBatch("engine lost");
    if (error instanceof EnvironmentError && error.code === "disk-full") this.#stopBatch("disk full");
  }

  /** What stops the batch is no fault of this task: its row is not final. */
  #stopBatch(reason: StopReason): void {
    this.#attempt.cutShort = reason;
    this.#deps.stopBatch(reason);
  }

  #warn(message: string): void {
    this.#attempt.warnings.push(message);
    this.#log.write("WARNING", message);
  }
}
