import { existsSync } from "node:fs";
import { posix } from "node:path";
import { InputError } from "../../errors.ts";
import { expandVariables } from "./expand.ts";

export interface BindMount {
  readonly source: string;
  readonly target: string;
  readonly readOnly: boolean;
}

/** Where a mount would hide what is ours or what makes a container one. */
const reserved = ["/work", "/evalbatch", "/opt/evalbatch", "/proc", "/sys", "/dev"];

/**
 * `docker.extra_mounts` of a task (formats.md 9.3): the only host directories that a container ever sees.
 * @throws InputError with all problems: a source that is not there (the engine would make it, owned by root), a target that is reserved
 */
export function parseMounts(texts: readonly string[], env: Readonly<Record<string, string | undefined>>): BindMount[] {
  const problems: string[] = [];
  const mounts = texts.flatMap((text) => {
    const match = /^((?:[A-Za-z]:[\\/])?[^:]+):([^:]+)(?::(ro|rw))?$/.exec(text);
    const source = expandVariables(match?.[1] ?? "", env);
    const target = expandVariables(match?.[2] ?? "", env);
    const missing = [...new Set([...source.missing, ...target.missing])];
    const problem =
      match === null
        ? "is not source:/absolute/target[:ro|rw]"
        : missing.length > 0
          ? `uses the undefined variable ${missing.join(", ")}`
          : check(source.text, target.text);
    if (problem !== undefined) {
      problems.push(`extra mount '${text}' ${problem}`);
      return [];
    }
    return [{ source: source.text, target: posix.normalize(target.text), readOnly: match?.[3] !== "rw" }];
  });
  if (problems.length > 0) {
    throw new InputError(
      problems.map((message) => ({ severity: "error", code: "extra-mount", message, field: "sandbox.docker.extra_mounts" })),
      { hint: "name an existing absolute path of this machine and a target outside of the sandbox's own directories" },
    );
  }
  return mounts;
}

function check(source: string, target: string): string | undefined {
  if (!/^(\/|[A-Za-z]:[\\/])/.test(source)) return "has a source that is not absolute";
  if (!existsSync(source)) return `has a source that does not exist: ${source}`;
  if (!target.startsWith("/") || target.split("/").includes("..")) return "has a target that is not an absolute path";
  const path = posix.normalize(`${target}/`);
  if (path === "/" || reserved.some((one) => path.startsWith(`${one}/`))) return `has a reserved target: ${target}`;
  return undefined;
}
