import type { Issue } from "../../errors.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { defaultDockerImage, fallbackDockerImage } from "../schema/docker-schema.ts";

/** What is worth saying once for all tasks together, however many they are. */
export function planProblems(tasks: readonly ResolvedTask[]): Issue[] {
  return [...unnamedImages(tasks), ...otherDrivers(tasks)];
}

function unnamedImages(tasks: readonly ResolvedTask[]): Issue[] {
  const unnamed = new Set(
    tasks
      .filter(({ task: { sandbox } }) => sandbox.driver === "docker" && sandbox.docker.dockerfile_path === null)
      .filter(({ task: { sandbox } }) => sandbox.docker.image === defaultDockerImage)
      // An agent's program gets an image that is built for it.
      .filter(({ task: { agent } }) => agent.type === "none" || agent.type === "command")
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

const driverField = ["sandbox", "driver"];

/**
 * Task files that leave the driver of the experiment: a driver decides what is installed and which variables are there, so
 * that a task may fail for right answers, and in hundreds of files nobody sees it.
 */
function otherDrivers(tasks: readonly ResolvedTask[]): Issue[] {
  const files = new Map(tasks.map((task) => [task.taskFile, task]));
  const left = [...files.values()].flatMap((task) => {
    if (task.lineage["sandbox.driver"]?.source !== "task") return [];
    const asked = task.contributions(driverField).find(({ source }) => source === "experiment-defaults");
    return asked?.place === undefined || asked.value === task.task.sandbox.driver ? [] : [{ task, asked, place: asked.place }];
  });
  const [first] = left;
  if (first === undefined) return [];
  const { taskFile, task } = first.task;
  const who = left.length === 1 ? `${taskFile} sets` : `${left.length} of ${files.size} task files, ${taskFile} among them, set`;
  const message = `${who} sandbox.driver to '${task.sandbox.driver}' over the experiment's '${String(first.asked.value)}'`;
  const hint = "take it out of the task files, or let a variant or --driver decide";
  return [{ severity: "warning", code: "other-driver", message, ...first.place, hint }];
}
