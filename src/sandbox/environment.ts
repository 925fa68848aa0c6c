// Which variables of the host reach a sandbox. A task names what it wants (formats.md 1.4); what is never given, even when
// named, are the runner's own credentials and files, and variables that make a loader or shell run something.

const deniedNames: ReadonlySet<string> = new Set([
  ...["GITHUB_TOKEN", "GH_TOKEN", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_OUTPUT", "GITHUB_STATE", "GITHUB_STEP_SUMMARY"],
  ...["NODE_OPTIONS", "BASH_ENV", "ENV", "PATH", "IFS", "SHELLOPTS", "PYTHONSTARTUP", "PERL5OPT", "RUBYOPT"],
]);
const deniedPrefixes: readonly string[] = ["ACTIONS_", "INPUT_", "RUNNER_", "STATE_", "LD_", "DYLD_"];
/** The host's home directory means nothing in a container, and there it would hide the image's own. */
const meaningless: ReadonlySet<string> = new Set(["HOME"]);

export interface SelectedEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** One line per variable that was named and is never given. */
  readonly warnings: readonly string[];
}

/** Whether a variable never reaches a task. Names are compared without case: Windows does so, and no honest name needs the difference. */
export function isDenied(name: string): boolean {
  const upper = name.toUpperCase();
  return deniedNames.has(upper) || deniedPrefixes.some((prefix) => upper.startsWith(prefix));
}

/** The named variables that are set on the host, without those that are never given. Pure. */
export function selectEnvironment(hostEnv: Readonly<Record<string, string | undefined>>, names: readonly string[]): SelectedEnvironment {
  const chosen: [string, string][] = [];
  const warnings: string[] = [];
  for (const name of new Set(names)) {
    if (isDenied(name)) {
      warnings.push(`the variable ${name} is never given to a task, although it is listed in env_passthrough`);
      continue;
    }
    const value = Object.hasOwn(hostEnv, name) ? hostEnv[name] : undefined;
    if (value !== undefined && !meaningless.has(name)) chosen.push([name, value]);
  }
  return { env: Object.fromEntries(chosen), warnings };
}
