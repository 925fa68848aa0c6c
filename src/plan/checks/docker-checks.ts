import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { type Env, expandHome, expandText } from "../expand-path.ts";
import { quote } from "../found-text.ts";
import { parseImageReference } from "../image-reference.ts";
import type { Problem } from "../issues.ts";
import { missingProblem, undefinedVariable } from "../paths/find-file.ts";
import { pathFields } from "../paths/path-fields.ts";
import { type DockerConfig, defaultEnvPassthrough } from "../schema/docker-schema.ts";
import { warning } from "./problem.ts";

const base = ["sandbox", "docker"];

/** What an engine would refuse, or what would not reach the container, seen before it starts. Only for docker tasks. */
export function dockerProblems(docker: DockerConfig, env: Env): Problem[] {
  return [
    ...imageProblems(docker),
    ...(docker.dockerfile_path === null ? [] : buildArgumentProblems(docker.build.args, env)),
    ...passedVariables(docker, env),
    ...docker.extra_mounts.flatMap((mount, index) => mountProblems(mount, [...base, "extra_mounts", index], env)),
  ];
}

function imageProblems({ image, dockerfile_path }: DockerConfig): Problem[] {
  if (dockerfile_path !== null || parseImageReference(image) !== undefined) return [];
  const message = `${quote(image)} is no image reference`;
  return [
    warning("image-reference", [...base, "image"], message, "write [registry/]name[:tag], in lower case; the task will end in an error"),
  ];
}

/** A build with the name of a variable instead of its value would make another image than the one that was meant: it is not started. */
function buildArgumentProblems(args: Readonly<Record<string, string>>, env: Env): Problem[] {
  return Object.entries(args).flatMap(([name, value]) => {
    const expanded = expandText(value, env);
    if (expanded.kind === "text") return [];
    return [undefinedVariable(expanded.variable, value, [...base, "build", "args", name], "the task will end in an error")];
  });
}

/** Variables that somebody listed. Of the built-in list most are set nowhere, which is fine. */
function passedVariables({ env_passthrough, env_passthrough_extra }: DockerConfig, env: Env): Problem[] {
  const isBuiltIn =
    env_passthrough.length === defaultEnvPassthrough.length && env_passthrough.every((name, at) => name === defaultEnvPassthrough[at]);
  const lists = { env_passthrough: isBuiltIn ? [] : env_passthrough, env_passthrough_extra };
  return Object.entries(lists).flatMap(([list, names]) =>
    names.flatMap((name, index) => {
      if (Object.hasOwn(env, name) && env[name] !== undefined) return [];
      const path = [...base, list, index];
      return [
        warning(
          "unset-variable",
          path,
          `the variable ${quote(name)} is not set, so it is not passed on`,
          "set it, or take it off the list",
        ),
      ];
    }),
  );
}

const mountField = pathFields.find(({ field }) => field === "sandbox.docker.extra_mounts[]");

/** `source:target[:ro|rw]`: the source has to be there, or the engine would make it as a folder of root's. */
function mountProblems(mount: string, path: readonly PropertyKey[], env: Env): Problem[] {
  const match = /^((?:[A-Za-z]:[\\/])?[^:]+):([^:]+)(?::(?:ro|rw))?$/.exec(mount);
  if (match === null) return [];
  const source = expandHome(match[1] ?? "", env);
  const target = expandText(match[2] ?? "", env);
  const undefinedNames = [source, target].flatMap((part) => (part.kind === "undefined" ? [part.variable] : []));
  if (undefinedNames.length > 0)
    return [...new Set(undefinedNames)].map((name) => undefinedVariable(name, mount, path, "the task will end in an error"));
  if (source.kind !== "text" || mountField === undefined) return [];
  if (!isAbsolute(source.text)) {
    const message = `the source of ${quote(mount)} is not absolute`;
    return [warning("relative-mount", path, message, "begin it with '/', '~' or a variable; the task will end in an error")];
  }
  // A single file may be mounted as well as a folder.
  const stats = statSync(source.text, { throwIfNoEntry: false });
  const missing = stats === undefined ? missingProblem(mountField, match[1] ?? "", undefined, path) : undefined;
  return missing === undefined ? [] : [missing];
}
