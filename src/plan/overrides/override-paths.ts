import { InputError, type Issue } from "../../errors.ts";
import type { Env } from "../expand-path.ts";
import { fieldText } from "../issues.ts";
import type { Fields } from "../layers/merge.ts";
import { fileFolder } from "../paths/find-file.ts";
import { resolveAgentPaths, resolveSandboxPaths } from "../task-paths.ts";
import { cliFlagNames, type FlagNames } from "./flag-names.ts";
import type { Overrides } from "./overrides.ts";

/** Overrides with their paths resolved. */
export interface LocatedOverrides {
  readonly overrides: Overrides;
  /** Template folders that are not there, and the like. */
  readonly warnings: readonly Issue[];
}

/**
 * The paths of overrides (templates, Dockerfile, plugins, the file of a system prompt), relative to where the user stands,
 * resolved as those of task files are.
 * @throws InputError with all problems, code `usage`
 */
export async function locateOverrides(
  overrides: Overrides,
  place: { readonly cwd: string; readonly env: Env },
  names: FlagNames = cliFlagNames,
): Promise<LocatedOverrides> {
  const at = (root: string) => ({ folder: place.cwd, env: place.env, path: [root] });
  const agent = await resolveAgentPaths(overrides.agent, at("agent"));
  const sandbox = await resolveSandboxPaths(overrides.sandbox, at("sandbox"));
  const issues = [...agent.problems, ...sandbox.problems].map(
    ({ severity, path, message, hint }): Issue => ({
      severity,
      code: "usage",
      message: `${names.place(fieldText(path))}: ${message}`,
      hint: hint?.replace(fileFolder, "the working directory"),
    }),
  );
  if (issues.some(({ severity }) => severity === "error")) throw new InputError(issues);
  const isInlined = agent.fields.system_prompt !== overrides.agent.system_prompt;
  return {
    overrides: {
      ...overrides,
      agent: isInlined ? without(agent.fields, "system_prompt_file") : agent.fields,
      sandbox: sandbox.fields,
      // The text came from the file, and that is what the user can find again.
      detailOf: (path) => overrides.detailOf(isInlined && path === "agent.system_prompt" ? "agent.system_prompt_file" : path),
    },
    warnings: issues,
  };
}

/** The text has taken the place of the file. */
function without(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}
