import { EnvironmentError } from "../../errors.ts";
import { isDenied } from "../environment.ts";
import { expandVariables } from "./expand.ts";

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Build arguments with the values of their variables (formats.md 1.4). coder_eval passes the name of one that is not set as if it were a
 * value, which makes another image than the one that was meant, and keeps it.
 * @throws EnvironmentError `build-argument` with all variables that have no value, or that a build is never given
 */
export function expandBuildArguments(args: Readonly<Record<string, string>>, hostEnv: Env): Record<string, string> {
  const given = Object.fromEntries(Object.entries(hostEnv).filter(([name]) => !isDenied(name)));
  const problems: string[] = [];
  const expanded = Object.entries(args).map(([name, text]): [string, string] => {
    const { text: value, missing } = expandVariables(text, given, { tilde: false });
    for (const variable of missing) {
      const why = Object.hasOwn(hostEnv, variable) ? "is given to no build" : "is not set";
      problems.push(`the variable ${variable} in the build argument '${name}' ${why}`);
    }
    return [name, value];
  });
  if (problems.length === 0) return Object.fromEntries(expanded);
  throw new EnvironmentError("build-argument", problems.join("; "), {
    hint: "set a variable where evalbatch runs, or write the value itself into sandbox.docker.build.args; secrets belong into build.secrets",
  });
}
