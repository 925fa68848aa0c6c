import type { EvaluationResult } from "./task-result.ts";
import type { AnyObject } from "./tolerant.ts";
import type { CommandTelemetry, TurnRecord } from "./turn-record.ts";

export interface SlowCommand {
  readonly tool: string;
  readonly durationMs: number;
  /** Bounded: long texts inside are cut. */
  readonly parameters: AnyObject;
}

/** Sums over the tool calls of all results of a run, for the section "Command Telemetry". Memory does not grow with the tasks. */
export interface TelemetryTotals {
  add(result: EvaluationResult): void;
  readonly total: number;
  readonly successful: number;
  readonly skills: number;
  /** Of calls that were timed. */
  readonly timed: number;
  readonly timeMs: number;
  /** Most used first; tools used equally often in the order in which they were first seen. */
  byTool(): readonly { readonly tool: string; readonly count: number }[];
  /** At most five, slowest first. */
  slowest(): readonly SlowCommand[];
  /** The most frequent run of three tools within a turn, `A → B → C`. */
  mostCommonSequence(): string | undefined;
}

const slowestKept = 5;
/** Names come from agents: beyond these many, further ones are counted together. */
const maxNames = 500;
const maxNameChars = 200;
const otherName = "(other)";

export function createTelemetryTotals(): TelemetryTotals {
  const tools = new Map<string, number>();
  const sequences = new Map<string, number>();
  const sequenceText = createSequenceTexts();
  let slowest: SlowCommand[] = [];
  const sums = { total: 0, successful: 0, skills: 0, timed: 0, timeMs: 0 };

  function addCommand(command: CommandTelemetry): void {
    sums.total += 1;
    if (command.result_status === "success") sums.successful += 1;
    if (command.tool_name === "Skill") sums.skills += 1;
    count(tools, command.tool_name);
    const durationMs = command.duration_ms;
    if (durationMs === null) return;
    sums.timed += 1;
    sums.timeMs += durationMs;
    const last = slowest.at(-1);
    if (slowest.length === slowestKept && last !== undefined && last.durationMs >= durationMs) return;
    slowest.push({ tool: command.tool_name.slice(0, maxNameChars), durationMs, parameters: boundedParameters(command.parameters) });
    slowest = slowest.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, slowestKept);
  }

  function addSequences(turn: TurnRecord): void {
    let before = "";
    let last = "";
    let seen = 0;
    for (const { tool_name: tool } of turn.commands) {
      if (seen > 1) count(sequences, sequenceText(before, last, tool));
      before = last;
      last = tool;
      seen += 1;
    }
  }

  return {
    add(result) {
      for (const turn of result.iterations) {
        turn.commands.forEach(addCommand);
        addSequences(turn);
      }
    },
    get total() {
      return sums.total;
    },
    get successful() {
      return sums.successful;
    },
    get skills() {
      return sums.skills;
    },
    get timed() {
      return sums.timed;
    },
    get timeMs() {
      return sums.timeMs;
    },
    byTool: () => ranked(tools).map(([tool, times]) => ({ tool, count: times })),
    slowest: () => slowest,
    mostCommonSequence: () => ranked(sequences).find(([sequence]) => sequence !== otherName)?.[0],
  };
}

/** `A → B → C`, the same text for the same tools: transcripts repeat the same few sequences thousands of times. */
function createSequenceTexts(): (first: string, second: string, third: string) => string {
  const known = new Map<string, Map<string, Map<string, string>>>();
  let size = 0;
  return (first, second, third) => {
    const found = known.get(first)?.get(second)?.get(third);
    if (found !== undefined) return found;
    const text = `${first} → ${second} → ${third}`;
    if (size >= 2 * maxNames) return text;
    size += 1;
    const afterFirst = known.get(first) ?? new Map<string, Map<string, string>>();
    const afterSecond = afterFirst.get(second) ?? new Map<string, string>();
    known.set(first, afterFirst.set(second, afterSecond.set(third, text)));
    return text;
  };
}

function count(counts: Map<string, number>, name: string): void {
  const short = name.length > maxNameChars ? name.slice(0, maxNameChars) : name;
  const known = counts.get(short);
  if (known !== undefined || counts.size < maxNames) counts.set(short, (known ?? 0) + 1);
  else counts.set(otherName, (counts.get(otherName) ?? 0) + 1);
}

function ranked(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}

/** The first parameters with short texts: reports show 50 characters of them. */
function boundedParameters(parameters: AnyObject): AnyObject {
  const entries = Object.entries(parameters).slice(0, 10);
  return Object.fromEntries(entries.map(([key, value]) => [key, typeof value === "string" ? value.slice(0, 200) : boundedValue(value)]));
}

function boundedValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const text = JSON.stringify(value) ?? "";
  return text.length <= 200 ? value : "…";
}
