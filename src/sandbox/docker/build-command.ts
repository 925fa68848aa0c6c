import type { DockerConfig } from "../../plan/schema/docker-schema.ts";
import { looksSecret } from "../../untrusted/secret-names.ts";
import { isDenied } from "../environment.ts";
import { labelNames } from "./labels.ts";

type Env = Readonly<Record<string, string | undefined>>;

export interface BuildRequest {
  /** Absolute. */
  readonly dockerfile: string;
  /** Absolute directory. */
  readonly context: string;
  readonly tag: string;
  /** With the values of their variables. */
  readonly args: Readonly<Record<string, string>>;
  readonly build: DockerConfig["build"];
}

export interface BuildCommand {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly warnings: readonly string[];
}

/** Variables that steer the docker CLI itself: a build argument of the same name must not change its own. */
const ofTheCli = /^(PATH|HOME|DOCKER_.*|BUILDKIT_.*|BUILDX_.*|XDG_.*|SSH_.*)$/;

/**
 * The docker CLI's arguments and environment for a build (formats.md 9.1). Values of build arguments travel in the
 * CLI's environment and never in argv; what is always denied to a task is denied to its build.
 */
export function buildCommand(request: BuildRequest, hostEnv: Env, hasBuildx: boolean): BuildCommand {
  const { build } = request;
  const warnings: string[] = [];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(hostEnv)) if (value !== undefined && (name === "PATH" || !isDenied(name))) env[name] = value;
  const buildkit = build.buildkit ?? (hostEnv.DOCKER_BUILDKIT === undefined ? undefined : hostEnv.DOCKER_BUILDKIT !== "0");
  if (build.buildkit !== null) env.DOCKER_BUILDKIT = build.buildkit ? "1" : "0";
  const buildArgs = Object.entries(request.args).flatMap(([name, value]) => {
    if (looksSecret(name)) {
      warnings.push(`build argument ${name} looks like a secret, and everybody who has the image can read it: use build.secrets instead`);
    }
    if (ofTheCli.test(name)) return ["--build-arg", `${name}=${value}`];
    env[name] = value;
    return ["--build-arg", name];
  });
  if (build.secrets.length > 0 && buildkit === false) warnings.push("build.secrets need BuildKit, which is switched off");
  // Without `--force-rm` the plain builder leaves the container of a step that failed, without a label of ours.
  const builder = hasBuildx && buildkit !== false ? ["buildx", "build", "--load"] : buildkit === true ? ["build"] : ["build", "--force-rm"];
  const args = [
    ...builder,
    ...["-t", request.tag, "--label", `${labelNames.built}=1`, "-f", request.dockerfile],
    ...buildArgs,
    ...build.secrets.flatMap((spec) => ["--secret", spec]),
    ...build.extra_args,
    request.context,
  ];
  return { args, env, warnings };
}
