import { isAbsolute, relative, resolve, sep } from "node:path";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import type { LoadedTask } from "../load.ts";
import type { ResolvedDefinition } from "../resolved-task.ts";
import { warning } from "./problem.ts";

/**
 * Templates that bring the agent what its work is judged by: the task file with its criteria, the reference, the rows with
 * what is expected of each. Nothing is said where patterns may leave it out.
 */
export function visibleAnswers(
  { agent, sandbox }: Pick<ResolvedDefinition, "agent" | "sandbox">,
  { file, folder, definition: { reference, dataset } }: Pick<LoadedTask, "file" | "folder" | "definition">,
): Problem[] {
  if (agent.type === "none" || sandbox.ignore_patterns.length > 0) return [];
  const solution = reference?.directory ?? reference?.file;
  const answers = [
    { what: "the task file with its criteria", path: file.path },
    ...(typeof solution === "string" ? [{ what: "the reference", path: resolve(folder, solution) }] : []),
    ...(dataset?.paths ?? []).map((path) => ({ what: "the rows of the dataset", path: resolve(folder, path) })),
  ];
  return (sandbox.template_sources ?? []).flatMap((source, index) => {
    if (source.type !== "template_dir" || source.include_patterns.length > 0) return [];
    const template = resolve(folder, source.path);
    const seen = answers.find(({ path }) => isWithin(path, template));
    if (seen === undefined) return [];
    const message = `this folder brings ${seen.what} before the agent's eyes: it holds ${quote(relative(template, seen.path) || ".")}`;
    const hint = "keep templates in a folder of their own, or name what belongs to them in include_patterns";
    return [warning("visible-answer", ["sandbox", "template_sources", index, "path"], message, hint)];
  });
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
