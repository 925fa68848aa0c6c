import type { GitHubEnvironment } from "./environment.ts";

type KeyEnvironment = Pick<GitHubEnvironment, "workflow" | "workflowRef" | "job" | "action">;

/**
 * Which of a pull request's comments a step writes: the input `comment-key`, or else workflow file, job, step and leg of the
 * matrix, so that neither two uses in one job nor two legs fight over one comment. Two jobs that call the same reusable
 * workflow look alike from within: they need keys.
 * @param leg JSON of the matrix values
 */
export function commentKey(given: string | undefined, environment: KeyEnvironment, leg: string | undefined): string {
  const key = given?.trim() ?? "";
  if (key !== "") return JSON.stringify(["key", key]);
  const { workflow, workflowRef, job, action } = environment;
  // Two workflows may have one name, but not one file. Its ref is another one on each pull request.
  const file = workflowRef?.replace(/@refs\/.*$|@[^@]*$/s, "");
  return JSON.stringify(["step", file ?? workflow ?? "", job ?? "", action ?? "", legOf(leg)]);
}

/** Without a matrix GitHub gives `null`. */
function legOf(leg: string | undefined): unknown {
  if (leg === undefined || leg.trim() === "") return null;
  try {
    return JSON.parse(leg);
  } catch {
    return leg.trim();
  }
}
