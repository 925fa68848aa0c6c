import { type Command, InvalidArgumentError, Option } from "commander";
import { type AgentVersions, parseAgentVersions } from "../kits/agent-versions.ts";
import { type EnvProbe, parseEnvProbe } from "../plan/env-probes.ts";
import { maxRepeats } from "../plan/overrides/parse-overrides.ts";

/** What `run` and `plan` have in common: which tasks, and with which settings. */
export interface SelectionFlags {
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  readonly allowEmpty: boolean;
  readonly experiment?: string;
  readonly variant: readonly string[];
  readonly set: readonly string[];
  readonly model?: string;
  readonly type?: string;
  readonly driver?: "docker" | "tempdir";
  readonly image?: string;
  readonly repeats?: number;
  readonly sample?: number;
  readonly samplePerStratum?: number;
  readonly sampleSeed?: string;
  readonly maxTasks?: number;
  readonly onMaxTasks: "fail" | "sample";
}

/** Adds the flags of `SelectionFlags`. */
export function withSelection(command: Command): Command {
  return command
    .argument("<patterns...>", "task files, folders or globs")
    .option("--tags <list>", "only tasks with one of these tags (comma-separated)", parseList, [])
    .option("--exclude-tags <list>", "no tasks with one of these tags (comma-separated)", parseList, [])
    .option("--include-skipped", "also run tasks that say skip: true", false)
    .option("-e, --experiment <file>", "experiment file, or a name for experiments/<name>.yaml", parseText)
    .option("--variant <list>", "only these variants of the experiment (comma-separated, or several times)", parseList, [])
    .option("-D, --set <path=value>", "a setting for every task, such as run_limits.max_turns=30 (several times)", collect, [])
    .option("-m, --model <model>", "model of every agent; short for -D agent.model=")
    .option("-T, --type <type>", "type of every agent, such as claude-code or none")
    .addOption(new Option("--driver <driver>", "sandbox for every task (default: what the task says)").choices(["docker", "tempdir"]))
    .option("--image <image>", "image for docker tasks that name neither image nor Dockerfile")
    .option("--repeats <n>", `replicates of every task, 1 to ${maxRepeats} (default: what the experiment says)`, wholeNumber(maxRepeats))
    .option("--sample <n>", "at most so many rows of each dataset", wholeNumber())
    .option("--sample-per-stratum <n>", "at most so many rows of each stratum of a dataset", wholeNumber())
    .option(
      "--sample-seed <text>",
      "draws the same rows and tasks again (default: 0 for --sample and --max-tasks; for strata the dataset's own seed, else a new one)",
      parseText,
    )
    .option("--max-tasks <n>", "most tasks to run, variants and replicates counted", wholeNumber())
    .addOption(
      new Option("--on-max-tasks <what>", "what happens when there are more: fail, or run a sample of them (seed: --sample-seed)")
        .choices(["fail", "sample"])
        .default("fail"),
    )
    .option("--allow-empty", "finding no task to run is fine", false);
}

/** Entries of a comma-separated list, added to earlier ones. */
function parseList(text: string, earlier: readonly string[]): string[] {
  const items = text.split(",").map((item) => item.trim());
  return [...earlier, ...items.filter((item) => item !== "")];
}

/** One entry each time: commas belong to it. */
function collect(text: string, earlier: readonly string[]): string[] {
  return [...earlier, text];
}

/** One probe each time. */
export function collectProbes(text: string, earlier: readonly EnvProbe[]): EnvProbe[] {
  const parsed = parseEnvProbe(text, earlier);
  if (parsed.kind === "problem") throw new InvalidArgumentError(parsed.problem);
  return [...earlier, parsed.probe];
}

/** One or several versions each time. */
export function collectVersions(text: string, earlier: AgentVersions | undefined): AgentVersions {
  const parsed = parseAgentVersions(text, earlier);
  if (parsed.kind === "problem") throw new InvalidArgumentError(parsed.problem);
  return parsed.versions;
}

function parseText(text: string): string {
  if (text.trim() === "") throw new InvalidArgumentError("it is empty");
  return text;
}

/** A whole number from 1. */
export function wholeNumber(max = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= 1 && number <= max) return number;
    throw new InvalidArgumentError(
      max === Number.MAX_SAFE_INTEGER ? "expected a whole number of at least 1" : `expected a whole number from 1 to ${max}`,
    );
  };
}
