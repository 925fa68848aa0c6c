import type { WaitingClock } from "../clock.ts";
import type { AgentVersions } from "../kits/agent-versions.ts";
import type { EnvProbe } from "../plan/env-probes.ts";
import type { Plan } from "../plan/plan.ts";
import type { PlanSelection } from "../plan/plan-options.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import type { PreservationMode } from "../plan/run-settings.ts";
import type { Stamps } from "../plan/stamp/stamp-tasks.ts";
import type { Progress } from "../progress/progress.ts";
import type { Fingerprint } from "../results/fingerprint/fingerprint.ts";
import type { GatePolicy } from "../results/gate.ts";
import type { RunOrigin } from "../results/resume/run-origin.ts";
import type { ResultStore } from "../results/store.ts";
import type { Machine } from "../run/concurrency.ts";
import type { RunRecorder } from "../run/run-recorder.ts";
import type { SharedSetup } from "../run/setup-stage.ts";
import type { Redactor } from "../untrusted/redact.ts";
import type { Confirmation } from "./confirm-run.ts";
import type { Drivers } from "./drivers.ts";
import type { EarlierPart, ResumeRequest, RowToRun } from "./earlier-part.ts";
import type { RunDir } from "./run-dir.ts";

export const streamModes = ["full", "minimal"] as const;
export type StreamMode = (typeof streamModes)[number];

/** What the user asked for: flags of the command line, inputs of the action. `env` is also what tasks are passed variables from. */
export interface RunOptions extends PlanSelection {
  readonly runDir?: string | undefined;
  /** At least 1. */
  readonly maxParallel?: number | undefined;
  readonly preservationMode?: PreservationMode | undefined;
  readonly gate: GatePolicy;
  /** Shows the tasks' own output. */
  readonly verbose: boolean;
  /** Shows what the agents do while they do it. */
  readonly stream?: StreamMode | undefined;
  /** Variables that every task gets by the user's wish; their values are secrets. */
  readonly taskEnv: Readonly<Record<string, string>>;
  /** Which versions of the agents' programs are brought into the sandboxes. */
  readonly agentVersions?: AgentVersions | undefined;
  readonly confirmation?: Confirmation | undefined;
  /** What every sandbox is asked besides the versions of common programs. */
  readonly envProbes?: readonly EnvProbe[] | undefined;
  /** Continue the run that lies in `runDir`. */
  readonly resume?: ResumeRequest | undefined;
  /** The job of a workflow that it belongs to. */
  readonly origin?: RunOrigin | null | undefined;
}

export interface RunDeps {
  readonly clock: WaitingClock;
  readonly progress: Progress;
  readonly machine: Machine;
  readonly signal: AbortSignal;
  /** Told what would run, before anything is made; may throw, and then nothing is. */
  readonly onPlanned?: ((tasks: readonly ResolvedTask[]) => void) | undefined;
  /** Asks the person at the terminal; absent where there is nobody. */
  readonly ask?: ((question: string) => Promise<boolean>) | undefined;
  /** Told what must not be shown, before anything of the plan is. */
  readonly onSecrets?: ((secrets: readonly string[]) => void) | undefined;
  /** Told before the first container starts, so that a later process can remove what this one leaves. */
  readonly onRunStarts?: ((run: { readonly runId: string; readonly runDir: string }) => void) | undefined;
}

/** A run that is about to happen: everything was checked, nothing has started. */
export interface Run {
  readonly options: RunOptions;
  readonly deps: RunDeps;
  readonly plan: Plan;
  readonly runDir: RunDir;
  readonly drivers: Drivers;
  readonly store: ResultStore;
  readonly recorder: RunRecorder;
  readonly todo: readonly RowToRun[];
  readonly earlier: EarlierPart;
  readonly stamps: Stamps;
  readonly fingerprint: Fingerprint;
  /** Of the execution that this one continues. */
  readonly earlierFingerprint?: Fingerprint | undefined;
  readonly shared: SharedSetup;
  readonly redactor: Redactor;
  readonly startTime: Date;
  readonly maxParallel: number;
  readonly environmentInfo: Readonly<Record<string, unknown>>;
  /** Collected while it runs; shown in the reports. */
  readonly warnings: string[];
}
