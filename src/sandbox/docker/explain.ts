import { EnvironmentError, errorMessage } from "../../errors.ts";
import { EngineConnectionError, EngineResponseError } from "./engine-error.ts";

interface Explanation {
  readonly pattern: RegExp;
  readonly code: string;
  readonly hint: string;
}

// The engine has one status for all of these, so its sentence is all there is to go by. It only picks code and hint; whatever matches
// none is still an EnvironmentError with the engine's own words.
const explanations: readonly Explanation[] = [
  {
    pattern: /no space left on device|disk quota exceeded/i,
    code: "disk-full",
    hint: "free disk space where Docker keeps its data (`docker system df`), then resume the run",
  },
  {
    pattern: /address pools have been fully subnetted|could not find an available.*address pool/i,
    code: "no-subnet",
    hint: "remove unused networks (`docker network prune`) or give the engine more `default-address-pools`",
  },
  {
    pattern: /network \S+ not found|no such network/i,
    code: "network-not-found",
    hint: "make the network before the run (`docker network create NAME`), or correct sandbox.docker.network of the task",
  },
  {
    pattern: /exec: "\/bin\/sh"|\/bin\/sh: (no such file|permission denied)|stat \/bin\/sh/i,
    code: "image-no-shell",
    hint: "a sandbox image needs /bin/sh and `sleep`",
  },
  {
    pattern: /exec format error/i,
    code: "image-architecture",
    hint: "the image is for another CPU architecture than the engine's machine",
  },
  {
    pattern: /unable to find user|no matching entries in passwd|unable to find group/i,
    code: "image-user",
    hint: "the image's USER does not exist in it",
  },
  {
    pattern: /bind source path does not exist/i,
    code: "extra-mount",
    hint: "the path must exist on the engine's machine, which may not be this one",
  },
  { pattern: /minimum memory limit|cpus are available/i, code: "container-limits", hint: "correct sandbox.limits of the task" },
  { pattern: /no such image/i, code: "image-missing", hint: "something removed the image during the run" },
];

/** Translates a failed start into an error with a remedy; errors of ours and reasons of a signal pass. */
export function explainEngineFailure(error: unknown, what: string): unknown {
  if (error instanceof EngineConnectionError) {
    return new EnvironmentError("engine-lost", `lost the Docker engine while starting ${what}: ${error.message}`, {
      cause: error,
      hint: "see whether the engine is still running",
    });
  }
  if (!(error instanceof EngineResponseError)) return error;
  const found = explanations.find(({ pattern }) => pattern.test(error.message));
  return new EnvironmentError(found?.code ?? "container-start", `could not start ${what}: ${errorMessage(error)}`, {
    cause: error,
    hint: found?.hint ?? "this is what the Docker engine said",
  });
}
