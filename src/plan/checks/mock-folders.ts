import { statSync } from "node:fs";
import { join, posix } from "node:path";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import type { ResolvedDefinition } from "../resolved-task.ts";
import { warning } from "./problem.ts";

/**
 * Folders of stand-in tools that no template brings. Nothing is said where something else may bring them: a repository, a
 * command before the run, an image, or a template that is missing itself.
 */
export function mockFolderProblems({ sandbox, pre_run }: ResolvedDefinition): Problem[] {
  const folders = sandbox.mock_path_dirs ?? [];
  const sources = sandbox.template_sources ?? [];
  if (folders.length === 0 || pre_run.length > 0 || sandbox.driver === "docker") return [];
  if (sources.some((source) => source.type === "repo" || (source.type === "template_dir" && !isFolder(source.path)))) return [];
  const brings = (folder: string): boolean =>
    sources.some((source) => {
      if (source.type === "starter_files") return source.files.some(({ path }) => posix.normalize(path).startsWith(`${folder}/`));
      if (source.type !== "template_dir") return true;
      const below = posix.relative(posix.normalize(source.mount_point), folder);
      // Above the mount point: the template itself makes it.
      return below.startsWith("..") ? posix.normalize(source.mount_point).startsWith(`${folder}/`) : isFolder(join(source.path, below));
    });
  return folders.flatMap((written, index) => {
    const folder = posix.normalize(written).replace(/\/$/, "");
    if (folder === "." || brings(folder)) return [];
    const hint = "name a folder of a template, relative to the sandbox";
    return [warning("missing-mocks", ["sandbox", "mock_path_dirs", index], `no template brings the folder ${quote(written)}`, hint)];
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
