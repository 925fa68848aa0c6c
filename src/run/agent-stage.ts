import { getAgent } from "../agents/registry.ts";
import type { WaitingClock } from "../clock.ts";
import { AgentError } from "../errors.ts";
import { expandPath } from "../plan/expand-path.ts";
import type { TurnRecord } from "../results/turn-record.ts";
import { providePluginDirs } from "../sandbox/templates/plugin-directories.ts";
import { runAgentAttempts } from "./agent-attempts.ts";
import { type AgentRecord, recordAndWatch } from "./agent-record.ts";
import { type AgentRefusals, customerOf } from "./agent-refusals.ts";
import { agentSettings } from "./agent-settings.ts";
import type { AttemptEnd } from "./attempt.ts";
import { endOfAgent } from "./end-of-agent.ts";
import { agentTimes } from "./limits.ts";
import { createLiveWatch } from "./live-watch.ts";
import type { RateGate } from "./rate-gate.ts";
import type { PreparedSandbox, StageContext } from "./setup-stage.ts";

/** What the agents of one run share, and what they get from this machine. */
export interface AgentSurroundings {
  /** The host's variables of these names that are set, for the process of an agent alone. */
  variablesOf(names: readonly string[]): Readonly<Record<string, string>>;
  /** The host's environment: what a path of a plugin is expanded by. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly gate: RateGate;
  readonly refusals: AgentRefusals;
  readonly clock: WaitingClock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Factor of the waits before retries; 1 unless somebody who tests cannot wait. */
  readonly delayScale: number;
}

export interface AgentStageContext extends StageContext {
  readonly prepared: PreparedSandbox;
  readonly agents: AgentSurroundings;
  readonly record: AgentRecord;
  /** Variables that every process of the sandbox has. */
  readonly sandboxEnv: Readonly<Record<string, string>>;
}

/**
 * Lets the agent work until it is done, failed for good, was stopped or is out of time. Its turns are in the attempt, whatever ends it.
 * @returns how the task ends whatever the criteria say; undefined when they decide
 * @throws SandboxLostError, SandboxSetupError, or the signal's reason
 */
export async function runAgentStage(context: AgentStageContext): Promise<AttemptEnd | undefined> {
  const { task, sandbox, attempt, log, agents, signal, record } = context;
  const agent = agentSettings(task);
  const { run_limits: limits } = task.task;
  const adapter = getAgent(agent.type ?? "none");
  const secretEnv = agents.variablesOf(adapter.cli?.variables ?? []);
  const known = { ...context.sandboxEnv, ...secretEnv };
  const missing = missingCredentials(adapter.cli?.credentials ?? [], known);
  if (missing !== undefined) return keyless(context, missing);
  const pluginDirs = adapter.cli === undefined ? [] : await pluginDirsOf(context);
  const kitDir = adapter.cli === undefined ? undefined : sandbox.kitDir(adapter.cli.kit.name);
  const warn = (message: string): void => {
    if (attempt.warnings.includes(message)) return;
    attempt.warnings.push(message);
    log.write("WARNING", message);
  };
  const common = {
    sandbox,
    config: agent,
    prompt: `Your working directory is: ${sandbox.workDir}\n\n${task.task.initial_prompt ?? ""}`,
    env: context.prepared.agentEnv,
    secretEnv,
    program:
      adapter.cli === undefined ? undefined : kitDir === undefined ? adapter.cli.kit.program : `${kitDir}/bin/${adapter.cli.kit.name}`,
    pluginDirs,
    maxTurns: limits.max_turns ?? undefined,
    maxUsd: limits.max_usd ?? undefined,
    now: () => agents.clock.now(),
    signal,
    onWarning: warn,
    hide: record.hide,
    onCutOff: (turn: TurnRecord) => void attempt.turns.push(turn),
  };
  record.prompt(common.prompt);
  const { outcome, limit, attempts, retries } = await runAgentAttempts({
    run: async (_number, timeoutMs) => {
      const output = record.output();
      const watch = createLiveWatch(task, adapter.cli, { clock: agents.clock, before: attempt.turns });
      try {
        return await adapter.run({ ...common, timeoutMs, onOutput: output.write, onEvent: recordAndWatch(record, watch) });
      } finally {
        output.end();
      }
    },
    onTurn: (turn) => void attempt.turns.push(turn),
    cleanUp: async (inner) => void (await sandbox.quiesce(inner)),
    times: agentTimes(task),
    clock: agents.clock,
    random: agents.random,
    signal,
    log: (message) => log.foreign("agent", message),
    gate: { gate: agents.gate, agent: adapter.type },
    delayScale: agents.delayScale,
  });
  attempt.agent = { facts: outcome.facts, stop: outcome.end.kind === "stopped" ? outcome.end.cause : undefined };
  const given = adapter.cli?.credentials.filter((name) => (known[name] ?? "") !== "") ?? [];
  const customer = { ...customerOf(task), credentials: adapter.cli?.credentials ?? [], given };
  if (agents.refusals.note(customer, outcome.end)) attempt.cutShort = "agent refused";
  return endOfAgent(outcome.end, limit, { attempts, retries });
}

/** Without a key no task of this agent is worth its start. */
function keyless({ task, attempt, agents }: AgentStageContext, names: readonly string[]): AttemptEnd {
  const hint = `set ${names[0]} where evalbatch runs (in a workflow: env of the step, from a secret)`;
  const message = `the agent has no key: none of ${names.join(", ")} is set`;
  const customer = { ...customerOf(task), credentials: names, given: [] };
  if (agents.refusals.note(customer, { kind: "crashed", category: "agent_auth_error", message })) attempt.cutShort = "agent refused";
  return { kind: "error", component: "orchestrator.iteration_1", error: new AgentError("agent_auth_error", message, { hint }) };
}

/** The names of which one must be set, when none is. */
function missingCredentials(names: readonly string[], env: Readonly<Record<string, string>>): readonly string[] | undefined {
  return names.length === 0 || names.some((name) => (env[name] ?? "") !== "") ? undefined : names;
}

async function pluginDirsOf({ task, sandbox, agents, log, signal }: AgentStageContext): Promise<string[]> {
  const { plugins, ignore_patterns: ignorePatterns } = task.task.agent;
  const note = (line: string): void => log.foreign("plugins", line);
  const paths = (plugins ?? []).flatMap(({ path }) => {
    const expanded = expandPath(path, task.taskDir, agents.env);
    if (expanded.kind === "path") return [expanded.path];
    note(`plugin ${path}: the variable ${expanded.variable} is not set; the agent runs without it`);
    return [];
  });
  return await providePluginDirs(sandbox, paths, { ignorePatterns, log: note, signal });
}
