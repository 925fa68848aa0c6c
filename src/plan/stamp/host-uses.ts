import { posix, resolve } from "node:path";
import type { Criterion } from "../../criteria/criterion-schema.ts";
import { type Env, expandHome, expandPath } from "../expand-path.ts";
import { taskDirNames } from "../paths/task-dir-files.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { childOf } from "../schema/schema-keys.ts";
import { wayInto } from "./path-names.ts";

/** How much of what lies at a path takes part. */
export type UseOf =
  /** Names in `ignored`, a task's `ignore_patterns`, and what `included` does not let through stay behind. */
  | { readonly as: "template"; readonly ignored: readonly string[]; readonly included: readonly string[] }
  /** `.dockerignore` decides. */
  | { readonly as: "build context"; readonly dockerfile: string }
  | { readonly as: "mount"; readonly isWritable: boolean }
  /** Beside a task's file: other tasks' files are none of it. */
  | { readonly as: "task folder" }
  /** A file, or all of a folder. */
  | { readonly as: "plain" };

/** A path of the host that a task names. */
export interface HostUse {
  /** Absolute; undefined when a variable of it is not set. */
  readonly path: string | undefined;
  readonly written: string;
  /** What is said to be missing where nothing is there. */
  readonly wanted: "file" | "folder";
  readonly use: UseOf;
  /** Counts too where the path is a file. */
  readonly around?: string | undefined;
}

const plain: UseOf = { as: "plain" };

/** What the settings and the reference of a task name: the same for all rows of a dataset. */
export function sharedUses({ task, taskDir }: ResolvedTask, env: Env): HostUse[] {
  const { agent, reference, sandbox } = task;
  const at = (written: string, wanted: HostUse["wanted"], use: UseOf = plain): HostUse => {
    const expanded = expandPath(written, taskDir, env);
    return { path: expanded.kind === "path" ? expanded.path : undefined, written, wanted, use };
  };
  return [
    ...(agent.type === "none" ? [] : agentUses(agent, at)),
    ...(sandbox.template_sources ?? []).flatMap((source) => {
      if (source.type !== "template_dir") return [];
      const use: UseOf = { as: "template", ignored: sandbox.ignore_patterns, included: source.include_patterns };
      return [{ path: resolve(taskDir, source.path), written: source.path, wanted: "folder", use } as const];
    }),
    ...(sandbox.driver === "docker" ? dockerUses(sandbox.docker, taskDir, env) : []),
    ...(typeof reference?.file === "string" ? [at(reference.file, "file")] : []),
    ...(typeof reference?.directory === "string" ? [at(reference.directory, "folder")] : []),
  ];
}

type At = (written: string, wanted: HostUse["wanted"]) => HostUse;

/** Of an `agent` block, also of the one of a judge. */
function agentUses(agent: unknown, at: At): HostUse[] {
  const plugins = childOf(agent, "plugins");
  const prompt = childOf(agent, "system_prompt_file");
  const settings = childOf(agent, "claude_settings");
  return [
    ...(Array.isArray(plugins) ? plugins.map((plugin: unknown) => childOf(plugin, "path")) : []).flatMap((path) =>
      typeof path === "string" ? [at(path, "folder")] : [],
    ),
    ...(typeof prompt === "string" ? [at(prompt, "file")] : []),
    // Relative ones lie in the sandbox; what begins with a brace is JSON.
    ...(typeof settings === "string" && /^(?:\/|[A-Za-z]:[\\/])/.test(settings) ? [at(settings, "file")] : []),
  ];
}

function dockerUses(docker: ResolvedTask["task"]["sandbox"]["docker"], taskDir: string, env: Env): HostUse[] {
  const uses: HostUse[] = [];
  if (docker.dockerfile_path !== null) {
    const dockerfile = resolve(taskDir, docker.dockerfile_path);
    uses.push({ path: dockerfile, written: docker.dockerfile_path, wanted: "file", use: plain });
    const written = posix.dirname(docker.dockerfile_path);
    uses.push({ path: resolve(dockerfile, ".."), written, wanted: "folder", use: { as: "build context", dockerfile } });
  }
  for (const mount of docker.extra_mounts) {
    const [, written, mode] = /^((?:[A-Za-z]:[\\/])?[^:]+):[^:]+(?::(ro|rw))?$/.exec(mount) ?? [];
    if (written === undefined) continue;
    const source = expandHome(written, env);
    const path = source.kind === "text" ? resolve(taskDir, source.text) : undefined;
    uses.push({ path, written, wanted: "folder", use: { as: "mount", isWritable: mode === "rw" } });
  }
  return uses;
}

/** What criteria name beside the task's file, by `$TASK_DIR` or otherwise. */
export function criteriaUses(criteria: readonly Criterion[], { taskDir }: Pick<ResolvedTask, "taskDir">, env: Env): HostUse[] {
  const at = (written: string, wanted: HostUse["wanted"]): HostUse => {
    const expanded = expandPath(written, taskDir, env);
    return { path: expanded.kind === "path" ? expanded.path : undefined, written, wanted, use: plain };
  };
  return criteria.flatMap((criterion) => {
    if (criterion.type === "run_command") return taskDirUses(criterion.command, taskDir);
    if (criterion.type === "uipath_eval") return [at(criterion.eval_set, "file")];
    if (criterion.type !== "llm_judge" && criterion.type !== "agent_judge" && criterion.type !== "system_one_judge") return [];
    const judge = criterion.type === "agent_judge" ? agentUses(criterion.agent, at) : [];
    return [...criterion.files.flatMap((file) => taskDirUses(file, taskDir)), ...judge];
  });
}

/**
 * A script beside the task's file is read as it is named. What it loads lies beside it: of one in a folder below, all of that folder counts.
 * Where `TASK_DIR` stands alone, nobody can see what is read: the whole folder, but for the files of tasks.
 */
function taskDirUses(text: string, taskDir: string): HostUse[] {
  if (!text.includes("TASK_DIR")) return [];
  const uses: HostUse[] = [];
  let mentions = text.split("TASK_DIR").length - 1;
  for (const { name, isWhole, isMade } of taskDirNames(text)) {
    const named = isWhole ? name : name.slice(0, name.lastIndexOf("/") + 1);
    const path = resolve(taskDir, named);
    if (!isMade && path === resolve(taskDir)) continue;
    mentions -= 1;
    if (isMade) continue;
    const folder = resolve(path, "..");
    uses.push({ path, written: name, wanted: "file", use: plain, around: isBelow(taskDir, folder) ? folder : undefined });
  }
  if (mentions > 0) uses.push({ path: taskDir, written: ".", wanted: "folder", use: { as: "task folder" } });
  return uses;
}

function isBelow(folder: string, path: string): boolean {
  const way = wayInto(folder, path);
  return way !== undefined && way !== ".";
}
