import type { ExecResult } from "../sandbox/sandbox.ts";
import type { AgentAdapter, AgentEnd } from "./agent.ts";
import { emptyTurn } from "./turn.ts";

/** Bytes of each stream that go into the turn's record; the log has more. */
const recordedBytes = 100_000;
const promptFileName = "prompt.txt";

/**
 * `agent: {type: command, command: "…"}`: any program as the agent. The prompt arrives as a file (`$EVALBATCH_PROMPT_FILE`) and on
 * stdin, its time limit in `$EVALBATCH_TIMEOUT_SECONDS`, `agent.model` where one is set in `$EVALBATCH_MODEL`; the output is one turn. A non-zero exit code is recorded and left to the criteria, like any other answer of an agent;
 * only what is not the agent's own doing (command not found, memory limit) counts as a crash.
 */
export const commandAgent: AgentAdapter = {
  type: "command",
  async run(context) {
    const { sandbox, config, prompt } = context;
    if (config.type !== "command") throw new TypeError(`the command agent was given a config of type ${config.type}`);
    const startedAt = context.now();
    const promptFile = { kind: "file", path: promptFileName, mode: 0o644, content: Buffer.from(prompt) } as const;
    await sandbox.putFiles([promptFile], sandbox.supportDir, context.signal);
    const result = await sandbox.exec({
      command: { shell: config.command },
      env: {
        ...context.env,
        EVALBATCH_PROMPT_FILE: `${sandbox.supportDir}/${promptFileName}`,
        // So that a program can end by itself, with what it has, before it is killed.
        EVALBATCH_TIMEOUT_SECONDS: String(context.timeoutMs / 1000),
        // What an experiment compares: a command that calls a model takes its name from here.
        ...(config.model === null ? {} : { EVALBATCH_MODEL: config.model }),
      },
      stdin: prompt,
      timeoutMs: context.timeoutMs,
      maxOutputBytes: recordedBytes,
      onOutput: context.onOutput,
      signal: context.signal,
    });
    const end = endOf(result);
    return {
      end,
      turn: {
        ...emptyTurn(prompt, startedAt),
        agent_output: renderOutput(result),
        duration_seconds: result.durationMs / 1000,
        assistant_turn_count: 1,
        num_turns: 1,
        result_summary: summarise(result),
        crashed: end.kind !== "completed",
        crash_reason: crashReason(end),
      },
    };
  },
};

/** Pure: from how the process ended to how the agent ended. 126 and 127 are the shell's "not executable" and "not found". */
export function endOf(result: ExecResult): AgentEnd {
  if (result.kind === "timed out") return { kind: "timed out", afterMs: result.afterMs };
  if (result.killedBy === "out of memory") {
    return { kind: "crashed", category: "out_of_memory", message: "the agent was killed because the sandbox ran out of memory" };
  }
  if (result.exitCode === 126 || result.exitCode === 127) {
    const why = result.exitCode === 127 ? "was not found" : "could not be executed";
    return {
      kind: "crashed",
      category: "agent_config_error",
      message: `the agent's command ${why} in the sandbox (exit code ${result.exitCode})`,
    };
  }
  return { kind: "completed" };
}

function crashReason(end: AgentEnd): string | null {
  switch (end.kind) {
    case "completed":
    case "stopped":
      return null;
    case "timed out":
      return `timed out after ${end.afterMs / 1000}s`;
    case "crashed":
      return end.message;
  }
}

function summarise(result: ExecResult): { is_error: boolean; subtype: string; stop_reason: null; result: string } {
  const isError = result.kind === "timed out" || result.exitCode !== 0;
  const subtype = result.kind === "timed out" ? "timed_out" : `exit_code_${result.exitCode}`;
  return { is_error: isError, subtype, stop_reason: null, result: result.output.stdout.trim() };
}

/** The rendering that upstream uses for an agent's words (formats.md 5.4). */
function renderOutput(result: ExecResult): string {
  const said = [result.output.stdout, result.output.stderr]
    .filter((text) => text.trim() !== "")
    .map((text) => `[ASSISTANT] ${text.trimEnd()}`);
  const ended = result.kind === "timed out" ? "timed out" : `exit code ${result.exitCode}`;
  const ok = result.kind === "exited" && result.exitCode === 0;
  return [...said, `[RESULT - ${ok ? "SUCCESS" : "ERROR"}] ${ended}`].join("\n");
}
