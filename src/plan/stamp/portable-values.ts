import { isAbsolute } from "node:path";
import { type Env, expandPath } from "../expand-path.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { isMapping } from "../schema/field-types.ts";
import type { PathNames } from "./path-names.ts";

/** Values of a task with the paths in them named as every machine names them: most are made absolute when a task is read. */
export interface PortableValues {
  setting(path: string, value: unknown, task: ResolvedTask): unknown;
  reference(task: ResolvedTask): unknown;
  /** The address of a `repo`, which may be a folder. */
  repository(url: string, task: ResolvedTask): string;
}

export function createPortableValues(names: PathNames, env: Env): PortableValues {
  const named = (value: unknown, task: ResolvedTask): unknown => {
    if (typeof value !== "string") return value;
    const found = expandPath(value, task.taskDir, env);
    return found.kind === "path" ? names.nameOf(found.path, value, task) : value;
  };
  /** What is relative means something else than a file of the host. */
  const absolute = (value: unknown, task: ResolvedTask): unknown =>
    typeof value === "string" && isAbsolute(value) ? named(value, task) : value;

  return {
    setting(path, value, task) {
      switch (path) {
        case "agent.plugins":
          return withField(value, "path", (inner) => named(inner, task));
        case "sandbox.template_sources":
          return withField(
            withField(value, "path", (inner) => absolute(inner, task)),
            "url",
            (inner) => absolute(inner, task),
          );
        case "sandbox.docker.dockerfile_path":
        case "agent.claude_settings":
          return absolute(value, task);
        case "sandbox.docker.extra_mounts":
          return Array.isArray(value) ? value.map((mount: unknown) => mountNamed(mount, (source) => absolute(source, task))) : value;
        default:
          return value;
      }
    },
    repository: (url, task) => (isAbsolute(url) ? names.nameOf(url, url, task) : url),
    reference(task) {
      const { reference } = task.task;
      if (reference === null) return null;
      return { ...reference, file: named(reference.file, task), directory: named(reference.directory, task) };
    },
  };
}

function withField(list: unknown, field: string, change: (value: unknown) => unknown): unknown {
  if (!Array.isArray(list)) return list;
  return list.map((item: unknown) => (isMapping(item) && Object.hasOwn(item, field) ? { ...item, [field]: change(item[field]) } : item));
}

function mountNamed(mount: unknown, change: (source: string) => unknown): unknown {
  const [, source, rest] = typeof mount === "string" ? (/^((?:[A-Za-z]:[\\/])?[^:]+)(:.*)$/s.exec(mount) ?? []) : [];
  return source === undefined || rest === undefined ? mount : `${change(source)}${rest}`;
}
