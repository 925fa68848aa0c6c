import type { EvaluationResult } from "./task-result.ts";
import { type AnyObject, isObject } from "./tolerant.ts";

const versionText = /^v?\d+\.\d+\.\d+\S*$/;

/** Whether a text looks like a version (formats.md 5.7). */
export function isVersion(text: unknown): text is string {
  return typeof text === "string" && versionText.test(text);
}

/** Orders versions by their numbers, so that 1.9.0 comes before 1.10.0; a pre-release before its release. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [splitVersion(left), splitVersion(right)];
  for (let i = 0; i < Math.max(a.numbers.length, b.numbers.length); i += 1) {
    const difference = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0);
    if (difference !== 0) return difference;
  }
  if (a.rest !== b.rest && (a.rest === "" || b.rest === "")) return a.rest === "" ? 1 : -1;
  return a.rest < b.rest ? -1 : a.rest > b.rest ? 1 : left < right ? -1 : left > right ? 1 : 0;
}

function splitVersion(text: string): { numbers: readonly number[]; rest: string } {
  const numbers = /^v?(\d+(?:\.\d+)*)/.exec(text)?.[1] ?? "";
  return { numbers: numbers === "" ? [] : numbers.split(".").map(Number), rest: text.replace(/^v?\d*(?:\.\d+)*/, "") };
}

/** What the tasks of a run say about versions. Memory grows with the distinct values only. */
export interface ReportedVersions {
  add(environmentInfo: EvaluationResult["environment_info"]): void;
  readonly cli: ReadonlySet<string>;
  readonly plugins: ReadonlyMap<string, ReadonlySet<string>>;
  readonly framework: ReadonlySet<string>;
}

export function createReportedVersions(): ReportedVersions {
  const cli = new Set<string>();
  const plugins = new Map<string, Set<string>>();
  const framework = new Set<string>();
  return {
    cli,
    plugins,
    framework,
    add(info) {
      if (isVersion(info.cli_version)) cli.add(info.cli_version);
      if (typeof info.coder_eval === "string") framework.add(info.coder_eval);
      if (!isObject(info.tool_plugins)) return;
      for (const [name, version] of Object.entries(info.tool_plugins)) {
        if (typeof version !== "string" || version === "") continue;
        const seen = plugins.get(name) ?? new Set<string>();
        plugins.set(name, seen.add(version));
      }
    },
  };
}

/**
 * The run's `environment_info`: the host's, with what the tasks saw of the command line tool and its plugins (formats.md 8.7).
 * Several versions are joined with ` | ` and warned of.
 */
export function reconcileVersions(host: AnyObject, reported: ReportedVersions): { info: AnyObject; warnings: string[] } {
  const warnings: string[] = [];
  const info: Record<string, unknown> = { ...host };
  const join = (versions: ReadonlySet<string>) => [...versions].sort(compareVersions).join(" | ");
  if (reported.cli.size > 0) info.cli_version = join(reported.cli);
  if (reported.cli.size > 1) warnings.push(`the tasks ran with different cli_version values: ${join(reported.cli)}`);
  if (reported.plugins.size > 0) {
    const names = [...reported.plugins.keys()].sort();
    info.tool_plugins = Object.fromEntries(names.map((name) => [name, join(reported.plugins.get(name) ?? new Set())]));
    const drifted = names.filter((name) => (reported.plugins.get(name)?.size ?? 0) > 1);
    if (drifted.length > 0) warnings.push(`the tasks ran with different versions of plugins: ${drifted.join(", ")}`);
  }
  const others = [...reported.framework].filter((version) => version !== host.coder_eval).sort(compareVersions);
  if (others.length > 0 && host.coder_eval !== undefined) {
    warnings.push(`some results were written by coder_eval ${others.join(" | ")}, the run by ${String(host.coder_eval)}`);
  }
  return { info, warnings };
}
