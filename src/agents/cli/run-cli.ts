import { errorMessage } from "../../errors.ts";
import type { AgentConfig } from "../../plan/schema/task-schema.ts";
import type { TurnRecord } from "../../results/turn-record.ts";
import type { ExecResult } from "../../sandbox/sandbox.ts";
import type { AgentAdapter, AgentContext, AgentEnd, AgentOutcome } from "../agent.ts";
import type { AgentEvent } from "../agent-event.ts";
import { categorise } from "../categorise.ts";
import { priceOf } from "../prices/price-of.ts";
import { createTelemetry } from "../telemetry/telemetry.ts";
import { readAfterwards } from "./afterwards.ts";
import { agentHome, homeless, stageHome, wrapCommand } from "./agent-home.ts";
import type { CliAgent, CliInvocation } from "./cli-agent.ts";
import { splitLines } from "./split-lines.ts";
import { AgentStopped } from "./stop-signal.ts";

/** Characters of stderr, the last ones, that the verdict is made from. */
const stderrTail = 16_000;

/** Characters of a piece that is kept for the verdict. */
const slimChars = 500;

/** An adapter for an agent that is a program with a stream of events. */
export function cliAdapter<Config extends AgentConfig>(
  agent: CliAgent<Config>,
  isConfig: (config: AgentConfig) => config is Config,
): AgentAdapter {
  return {
    type: agent.type,
    versionCommand: `${agent.kit.program} --version`,
    cli: {
      kit: agent.kit,
      variables: agent.variables,
      credentials: agent.credentials ?? [],
      defaultModel: agent.defaultModel,
      native: { maxTurns: agent.native?.maxTurns ?? false, maxUsd: agent.native?.maxUsd ?? false },
    },
    async run(context) {
      const { config } = context;
      if (!isConfig(config)) throw new TypeError(`the agent ${agent.type} was given a config of type ${config.type}`);
      const home = await agentHome(context.sandbox, context.signal);
      const invocation = agent.invoke({
        config,
        prompt: context.prompt,
        model: config.model ?? agent.defaultModel,
        maxTurns: context.maxTurns,
        maxUsd: context.maxUsd,
        timeoutMs: context.timeoutMs,
        home,
        workDir: context.sandbox.workDir,
        pluginDirs: context.pluginDirs,
        env: context.secretEnv,
      });
      for (const warning of invocation.warnings) context.onWarning?.(warning);
      await stageHome(context.sandbox, invocation.files, context.signal);
      return await new CliTurn(agent, config, context, invocation, home).run();
    },
  };
}

/** One start of an agent's program and what came of it. */
class CliTurn<Config extends AgentConfig> {
  readonly #agent: CliAgent<Config>;
  readonly #config: Config;
  readonly #context: AgentContext;
  readonly #invocation: CliInvocation;
  readonly #home: string;
  readonly #parser;
  readonly #telemetry;
  readonly #startedAt: Date;
  readonly #events: AgentEvent[] = [];
  readonly #stop = new AbortController();
  #stderr = "";
  /** Output of a program that is being killed may still come in. */
  #isOver = false;

  constructor(agent: CliAgent<Config>, config: Config, context: AgentContext, invocation: CliInvocation, home: string) {
    this.#agent = agent;
    this.#config = config;
    this.#context = context;
    this.#invocation = invocation;
    this.#home = home;
    this.#parser = agent.createParser();
    this.#startedAt = context.now();
    const model = context.config.model ?? agent.defaultModel;
    this.#telemetry = createTelemetry({ prompt: context.prompt, startedAt: this.#startedAt, priceOf, model });
  }

  async run(): Promise<AgentOutcome> {
    try {
      const end = await this.#work();
      const maxTurnsExhausted = end.kind === "stopped" && end.cause.kind === "max turns";
      return { end, turn: this.#turn(reasonOf(end), maxTurnsExhausted), facts: factsOf(this.#events) };
    } catch (error) {
      // What it did until then was paid for.
      this.#context.onCutOff?.(this.#turn(this.#hide(errorMessage(error)), false));
      throw error;
    }
  }

  #turn(crashReason: string | null, maxTurnsExhausted: boolean): TurnRecord {
    const endedAt = this.#context.now();
    return this.#telemetry.finish({
      endedAt,
      durationSeconds: (endedAt.getTime() - this.#startedAt.getTime()) / 1000,
      crashReason,
      maxTurnsExhausted,
    });
  }

  async #work(): Promise<AgentEnd> {
    const { program } = this.#context;
    if (program === undefined) throw new TypeError(`no program was given for ${this.#agent.type}`);
    try {
      const result = await this.#execute(program);
      await this.#finishStream();
      return this.#judge(result);
    } catch (error) {
      if (!(error instanceof AgentStopped) || this.#context.signal.aborted) throw error;
      // The abort has only begun to end its processes, and what it left is read when it writes no more.
      await this.#context.sandbox.quiesce(this.#context.signal);
      await this.#finishStream();
      return { kind: "stopped", cause: error.cause };
    }
  }

  async #finishStream(): Promise<void> {
    const { sandbox, signal } = this.#context;
    this.#isOver = true;
    const afterwards = await readAfterwards(sandbox, this.#home, this.#invocation.afterwards, signal);
    this.#seen(this.#parser.end(afterwards));
  }

  async #execute(program: string): Promise<ExecResult> {
    const { sandbox, env, secretEnv, timeoutMs, onOutput, signal } = this.#context;
    const { args, files, stdin } = this.#invocation;
    const lines = splitLines();
    const result = await sandbox.exec({
      command: wrapCommand(sandbox, [program, ...args], files.length > 0),
      env: { ...env, ...secretEnv, HOME: this.#home, ...this.#invocation.env },
      stdin,
      timeoutMs,
      // Everything is read as it comes.
      maxOutputBytes: 1,
      onOutput: (stream, text) => {
        onOutput(stream, text);
        if (stream === "stderr") this.#stderr = (this.#stderr + text).slice(-2 * stderrTail);
        else for (const line of lines.push(text)) this.#line(line);
      },
      signal: AbortSignal.any([signal, this.#stop.signal]),
    });
    for (const line of lines.end()) this.#line(line);
    return result;
  }

  #line(line: string): void {
    if (line.trim() !== "" && !this.#isOver) this.#seen(this.#parser.push(line));
  }

  #seen(events: readonly AgentEvent[]): void {
    for (const event of events) {
      this.#events.push(slimEvent(event));
      this.#telemetry.push(event, this.#context.now());
      const stop = this.#context.onEvent(event, this.#telemetry.live());
      if (stop !== undefined && !this.#stop.signal.aborted) this.#stop.abort(new AgentStopped(stop));
    }
  }

  #judge(result: ExecResult): AgentEnd {
    // It stopped by itself in the very moment in which it was to be stopped.
    if (this.#stop.signal.aborted && this.#stop.signal.reason instanceof AgentStopped) {
      return { kind: "stopped", cause: this.#stop.signal.reason.cause };
    }
    if (result.kind === "timed out") return { kind: "timed out", afterMs: result.afterMs };
    const { exitCode, killedBy } = result;
    // Of a secret that the cut of the raw text went through, nothing is left after this one.
    const stderr = this.#hide(this.#stderr).slice(-stderrTail);
    if (exitCode === homeless.exitCode && stderr.includes(homeless.mark)) {
      const message = `the agent's home directory ${this.#home} cannot be written; let the image have a user with a home of its own`;
      return { kind: "crashed", category: "agent_config_error", message, stderr };
    }
    const judged = this.#agent.judge({ exitCode, stderr, events: this.#events }, this.#config);
    if (judged.kind === "completed") return { kind: "completed" };
    if (judged.kind === "max turns") return { kind: "stopped", cause: { kind: "max turns" } };
    const verdict = { ...judged, message: this.#hide(judged.message) };
    const { category, message, retryAfterMs } = categorise(verdict, { exitCode, killedBy, stderr });
    return { kind: "crashed", category, message, retryAfterMs, stderr };
  }

  #hide(text: string): string {
    return this.#context.hide?.(text) ?? text;
  }
}

function reasonOf(end: AgentEnd): string | null {
  switch (end.kind) {
    case "completed":
    case "stopped":
      return null;
    case "timed out":
      return `Agent turn timed out after ${end.afterMs / 1000}s`;
    case "crashed":
      return end.message;
  }
}

/** What a verdict needs of an event: that something was said or done, not all of it, since a stream may be long. */
function slimEvent(event: AgentEvent): AgentEvent {
  switch (event.kind) {
    case "text":
    case "thinking":
    case "tool result":
      return { ...event, text: event.text.slice(0, slimChars) };
    case "tool call":
      return { ...event, parameters: {} };
    case "unknown":
      return { ...event, line: event.line.slice(0, slimChars) };
    default:
      return event;
  }
}

function factsOf(events: readonly AgentEvent[]): AgentOutcome["facts"] {
  const sessions = events.filter((event) => event.kind === "session");
  return {
    sessionId: sessions.findLast(({ sessionId }) => sessionId !== undefined)?.sessionId,
    version: sessions.findLast(({ version }) => version !== undefined)?.version,
    skills: sessions.findLast(({ skills }) => skills !== undefined)?.skills,
  };
}
