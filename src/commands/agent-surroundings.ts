import type { AgentEvent } from "../agents/agent-event.ts";
import type { AgentRefusals } from "../run/agent-refusals.ts";
import type { AgentSurroundings } from "../run/agent-stage.ts";
import { createRateGate } from "../run/rate-gate.ts";
import type { Run, RunOptions } from "./run-context.ts";
import { agentEnvironment } from "./task-environment.ts";

/** Shortens the waits before retries, for those who try out a set-up against a service of their own: a factor from 0 to 1. */
const delayScaleVariable = "EVALBATCH_RETRY_DELAY_SCALE";

/** What the agents of a run share, and what they get from this machine. */
export function agentSurroundings({ options, deps }: Run, refusals: AgentRefusals): AgentSurroundings {
  const { clock } = deps;
  return {
    variablesOf: (names) => agentEnvironment(names, options),
    env: options.env,
    gate: createRateGate(clock, Math.random, (agent, milliseconds) => {
      const seconds = Math.ceil(milliseconds / 1000);
      deps.progress.warning(`the service of agent '${agent}' limits its calls: its next tasks start in ${seconds} s or a little later`);
    }),
    refusals,
    clock,
    random: Math.random,
    delayScale: delayScaleOf(options.env[delayScaleVariable]),
  };
}

/** A number from 0 to 1; anything else counts as 1. */
export function delayScaleOf(text: string | undefined): number {
  const scale = text === undefined || text.trim() === "" ? 1 : Number(text);
  return scale >= 0 && scale <= 1 ? scale : 1;
}

const minimal: ReadonlySet<AgentEvent["kind"]> = new Set(["tool call", "end", "error"]);

/** Whether a person who watches wants to see such an event (`--stream`, or everything with `--verbose`). */
export function isShown(kind: AgentEvent["kind"], { stream, verbose }: Pick<RunOptions, "stream" | "verbose">): boolean {
  if (verbose || stream === "full") return true;
  return stream === "minimal" && minimal.has(kind);
}
