import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { EnvironmentError } from "../../errors.ts";

/** In the repository; the bundle and the package have it beside `dist/`, the sources three folders up. */
const relative = "images/agent/Dockerfile";

/**
 * The Dockerfile of the image for agents' tasks that name none.
 * @param from directory of the code that runs
 * @throws EnvironmentError `agent-image-missing`
 */
export function agentDockerfile(from: string): string {
  const candidates = ["..", "../../.."].map((up) => resolve(join(from, up, relative)));
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new EnvironmentError("agent-image-missing", `the Dockerfile of the default image is not there: ${candidates.join(", ")}`, {
    hint: "name an image: docker.image in the task, or --image",
  });
}
