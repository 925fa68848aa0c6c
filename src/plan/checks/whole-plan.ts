import type { Issue } from "../../errors.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { defaultDockerImage, fallbackDockerImage } from "../schema/docker-schema.ts";

/** What is worth saying once for all tasks together, however many they are. */
export function planProblems(tasks: readonly ResolvedTask[]): Issue[] {
  const unnamed = new Set(
    tasks
      .filter(({ task: { sandbox } }) => sandbox.driver === "docker" && sandbox.docker.dockerfile_path === null)
      .filter(({ task: { sandbox } }) => sandbox.docker.image === defaultDockerImage)
      .map(({ taskFile }) => taskFile),
  );
  const [first] = unnamed;
  if (first === undefined) return [];
  const who =
    unnamed.size === 1
      ? `${first} runs in docker and names no image`
      : `${unnamed.size} task files run in docker and name no image, ${first} among them`;
  return [
    {
      severity: "warning",
      code: "no-image",
      message: `${who}: ${defaultDockerImage} can be pulled from nowhere, so where the engine lacks it ${fallbackDockerImage} is used`,
      hint: "name one in sandbox.docker.image or sandbox.docker.dockerfile_path of the task or experiment, or with --image",
    },
  ];
}
