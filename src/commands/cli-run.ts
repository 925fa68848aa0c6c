import { randomBytes } from "node:crypto";
import { availableParallelism, totalmem } from "node:os";
import { systemClock } from "../clock.ts";
import type { AgentVersions } from "../kits/agent-versions.ts";
import type { EnvProbe } from "../plan/env-probes.ts";
import type { PreservationMode } from "../plan/run-settings.ts";
import { countNotStarted } from "../progress/count-not-started.ts";
import { createPlainProgress } from "../progress/plain-progress.ts";
import type { Screen } from "../progress/progress.ts";
import { createTtyProgress } from "../progress/tty-progress.ts";
import { renderConsoleSummary } from "../report/console-summary.ts";
import type { GatePolicy } from "../results/gate.ts";
import { runJsonChunks } from "../results/run-json.ts";
import { ask } from "./ask.ts";
import type { SelectionFlags } from "./cli-options.ts";
import { type ResumeFlags, resumeOf } from "./cli-resume.ts";
import { type SelectionHost, selectionOf } from "./cli-selection.ts";
import { runCommand } from "./run.ts";
import type { StreamMode } from "./run-context.ts";
import { stopOnSignals } from "./signals.ts";
import { writeOut } from "./write-out.ts";

export interface RunFlags extends SelectionFlags, ResumeFlags {
  readonly runDir?: string;
  readonly maxParallel?: number;
  readonly preservationMode?: PreservationMode;
  readonly failOn: GatePolicy["failOn"];
  readonly minPassRate?: number;
  readonly minTaskScore?: number;
  readonly confirmAbove?: number;
  readonly yes: boolean;
  readonly envProbe: readonly EnvProbe[];
  readonly agentVersion?: AgentVersions;
  readonly stream?: StreamMode;
  readonly verbose: boolean;
  readonly json: boolean;
}

/** What a process is to a selection. */
export function selectionHost(host: NodeJS.Process): SelectionHost {
  return { cwd: host.cwd(), env: host.env, drawSeed: () => randomBytes(8).toString("hex") };
}

/** `run` on a terminal or in a pipe. Gives the exit code. @throws as `runCommand` */
export async function runFromCli(host: NodeJS.Process, patterns: readonly string[], flags: RunFlags): Promise<number> {
  const { stderr, stdout } = host;
  const screen: Screen = {
    write: (text) => void stderr.write(text),
    columns: stderr.columns ?? 100,
    colour: stderr.hasColors?.() === true,
  };
  const isLive = stderr.isTTY === true && host.env.CI === undefined && host.env.TERM !== "dumb";
  const progress = countNotStarted((isLive ? createTtyProgress : createPlainProgress)(screen, () => performance.now()));
  const stop = stopOnSignals(host, {
    monotonicMs: () => performance.now(),
    exit: (code) => host.exit(code),
    onStop: (name) => progress.warning(`${name}: stopping, finished tasks are kept (again to exit at once)`),
  });
  const { runDir, maxParallel, preservationMode, verbose, confirmAbove: above, yes } = flags;
  try {
    const outcome = await runCommand(
      {
        ...selectionOf({ ...flags, patterns }, selectionHost(host)),
        runDir,
        maxParallel,
        preservationMode,
        verbose,
        gate: gateOf(flags),
        resume: resumeOf(flags),
        confirmation: above === undefined ? undefined : { above, given: yes, remedy: "add --yes, or choose fewer tasks" },
        taskEnv: {},
        envProbes: flags.envProbe,
        agentVersions: flags.agentVersion,
        stream: flags.stream,
      },
      {
        clock: systemClock,
        progress,
        signal: stop.signal,
        machine: { cpus: availableParallelism(), memoryBytes: totalmem() },
        ask:
          isLive && host.stdin.isTTY === true
            ? (question) => ask(question, { input: host.stdin, output: stderr, signal: stop.signal })
            : undefined,
      },
    );
    const shown = { runDir: outcome.runDir, columns: stdout.columns ?? 100, colour: stdout.hasColors?.() === true };
    await writeOut(stdout, flags.json ? withLineEnd(runJsonChunks(outcome.summary)) : [renderConsoleSummary(outcome.summary, shown)]);
    return outcome.exitCode;
  } finally {
    stop.release();
    progress.close();
  }
}

function* withLineEnd(pieces: Iterable<string>): Generator<string> {
  yield* pieces;
  yield "\n";
}

function gateOf({ failOn, minPassRate, minTaskScore, allowEmpty }: RunFlags): GatePolicy {
  return { failOn, minPassRate, minTaskScore, allowEmpty };
}
