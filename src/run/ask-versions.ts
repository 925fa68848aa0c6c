import type { builtInProbes, EnvProbe } from "../plan/env-probes.ts";
import { cut } from "../results/cut-text.ts";
import { commandEnvironment } from "../sandbox/environments/command-environment.ts";
import type { PythonEnvironment } from "../sandbox/environments/python.ts";
import type { CapturedOutput, ExecResult, Sandbox } from "../sandbox/sandbox.ts";
import { splitLines, visibleText } from "../untrusted/characters.ts";

export interface Questions {
  readonly sandbox: Sandbox;
  /** What the agent has on top of the sandbox's environment; empty where there is no agent. */
  readonly agentEnv: Readonly<Record<string, string>>;
  readonly python: PythonEnvironment | undefined;
  /** The agent's type, and the line that prints its version. */
  readonly agent: { readonly name: string; readonly versionCommand: string | undefined };
  /** Of the user. */
  readonly own: readonly EnvProbe[];
  readonly redact: (text: string) => string;
  /** Gets each answer as soon as it is there. */
  readonly onAnswer: (name: string, version: string) => void;
  readonly signal: AbortSignal;
}

/** What is written for a program that is not there or does not tell its version (formats.md 5.7). */
export const notFound = "Not Found";

const probeMs = 10_000;
/** Of each stream. */
const answerBytes = 4096;
const shownChars = 200;

/**
 * Asks a sandbox for versions, as the agent would: the common programs and the agent's own in one exec, the user's commands in one each.
 * @throws SandboxLostError, SandboxSetupError when the sandbox has no shell, or the signal's reason
 */
export async function askVersions(questions: Questions): Promise<void> {
  await askCommonPrograms(questions);
  const { own, sandbox, signal } = questions;
  if (own.length === 0) return;
  const env =
    Object.keys(questions.agentEnv).length > 0
      ? questions.agentEnv
      : await commandEnvironment(sandbox, { ...questions, taskDir: undefined });
  for (const { name, command } of own) {
    const result = await sandbox.exec({ command: { shell: command }, env, timeoutMs: probeMs, maxOutputBytes: answerBytes, signal });
    questions.onAnswer(name, versionIn(result, questions.redact));
  }
}

const commonCommands = {
  python: "python3 --version || python --version",
  node: "node --version",
  git: "git --version",
} as const satisfies Record<(typeof builtInProbes)[number], string>;

async function askCommonPrograms({ sandbox, agentEnv, agent, redact, onAnswer, signal }: Questions): Promise<void> {
  const commands = new Map<string, string>(Object.entries(commonCommands));
  if (agent.versionCommand !== undefined) commands.set(agent.name, agent.versionCommand);
  const shell = commonScript(commands);
  const result = await sandbox.exec({
    command: { shell },
    env: agentEnv,
    timeoutMs: probeMs,
    maxOutputBytes: answerBytes * commands.size,
    signal,
  });
  const isWhole = result.kind === "exited" && result.exitCode === 0;
  const lines = wholeLines(redact(result.output.stdout), result.output);
  for (const name of commands.keys()) {
    const answer = lines
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length + 1)
      .trim();
    if (answer !== undefined && answer !== "") onAnswer(name, cut(answer, shownChars));
    // Where the time was over or there is no shell, nobody knows.
    else if (isWhole) onAnswer(name, notFound);
  }
}

/** Prints `<name> <first line>` of each command that succeeds, with nothing but the shell. */
function commonScript(commands: ReadonlyMap<string, string>): string {
  const asked = [...commands].map(([name, command]) => `ask ${name} '${command.replaceAll("'", `'\\''`)}'`);
  return `nl='
'
ask() {
  v=$(eval "$2" 2>/dev/null </dev/null) || return 0
  v=\${v%%"$nl"*}
  printf '%s %s\\n' "$1" "$v"
}
${asked.join("\n")}
exit 0`;
}

/** The first line that a command printed; on stderr where there is none on stdout, as some programs have it. */
function versionIn(result: ExecResult, redact: (text: string) => string): string {
  if (result.kind !== "exited" || result.exitCode !== 0) return notFound;
  const { stdout, stderr } = result.output;
  const lines = [stdout, stderr].flatMap((text) => wholeLines(redact(text), result.output, Buffer.byteLength(text)));
  return cut(lines.find((line) => line !== "") ?? notFound, shownChars);
}

/** Lines as they may be shown. A line that was cut is none: the half of a secret that it may end in is not found. */
function wholeLines(text: string, { droppedBytes }: CapturedOutput, bytes = answerBytes): string[] {
  const lines = splitLines(visibleText(text)).map((line) => line.trim());
  return droppedBytes > 0 && bytes >= answerBytes - 3 ? lines.slice(0, -1) : lines;
}
