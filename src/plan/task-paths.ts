import { readFile, stat } from "node:fs/promises";
import { type Env, expandPath } from "./expand-path.ts";
import { quote } from "./found-text.ts";
import type { Problem } from "./issues.ts";
import { isMapping } from "./schema/field-types.ts";
import { childOf } from "./schema/schema-keys.ts";
import { decodeUtf8 } from "./yaml/source-text.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxPromptBytes = 5 * 1024 * 1024;

export interface WithPaths {
  /** The task's own fields, prompts inlined and paths absolute. */
  readonly fields: Fields;
  readonly problems: readonly Problem[];
}

/**
 * The path work of loading (formats.md 1): template paths and the Dockerfile become absolute, prompt files are read and
 * take the place of their prompt. What is not there, or of a wrong type, is left alone: the schema comes afterwards.
 */
export async function resolvePaths(fields: Fields, folder: string, env: Env): Promise<WithPaths> {
  const problems: Problem[] = [];
  const work = new PathWork(folder, env, problems);
  const prompt = await work.inlined(fields, "initial_prompt", []);
  const agent = isMapping(prompt.agent) ? await work.inlined(prompt.agent, "system_prompt", ["agent"]) : prompt.agent;
  const sandbox = isMapping(prompt.sandbox) ? await work.sandbox(prompt.sandbox) : prompt.sandbox;
  const unchanged = prompt === fields && agent === fields.agent && sandbox === fields.sandbox;
  return { fields: unchanged ? fields : { ...prompt, ...given({ agent, sandbox }) }, problems };
}

function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

class PathWork {
  readonly #folder: string;
  readonly #env: Env;
  readonly #problems: Problem[];

  constructor(folder: string, env: Env, problems: Problem[]) {
    this.#folder = folder;
    this.#env = env;
    this.#problems = problems;
  }

  #path(text: string, path: readonly PropertyKey[]): string | undefined {
    const expanded = expandPath(text, this.#folder, this.#env);
    if (expanded.kind === "path") return expanded.path;
    const message = `the variable '${expanded.variable}' in ${quote(text)} is not set`;
    this.#problems.push({
      severity: "error",
      code: "undefined-variable",
      path,
      message,
      hint: `set ${expanded.variable} in the environment`,
    });
    return undefined;
  }

  /** `<name>_file` is read into `<name>`; the file's field is gone afterwards. */
  async inlined(fields: Fields, name: string, path: readonly PropertyKey[]): Promise<Fields> {
    const field = `${name}_file`;
    const file = fields[field];
    // Both given is for the schema and the rules to refuse.
    if (typeof file !== "string" || (fields[name] !== undefined && fields[name] !== null)) return fields;
    const text = await this.#promptText(file, [...path, field]);
    return text === undefined ? fields : { ...fields, [name]: text, [field]: null };
  }

  async #promptText(file: string, path: readonly PropertyKey[]): Promise<string | undefined> {
    const refuse = (code: string, message: string): undefined => {
      this.#problems.push({ severity: "error", code, path, message });
    };
    const full = this.#path(file, path);
    if (full === undefined) return undefined;
    const stats = await stat(full).catch(() => undefined);
    if (stats === undefined) return refuse("missing-file", `the file ${quote(file)} does not exist`);
    if (!stats.isFile()) return refuse("missing-file", `${quote(file)} is not a file`);
    if (stats.size > maxPromptBytes) return refuse("file-too-large", `${quote(file)} has ${stats.size} bytes, more than ${maxPromptBytes}`);
    const decoded = decodeUtf8(await readFile(full));
    if (decoded.kind === "invalid") return refuse("not-utf8", `${quote(file)} is not UTF-8: byte ${decoded.byte} starts no character`);
    return decoded.text.replace(/\r\n?/g, "\n").trim();
  }

  async sandbox(sandbox: Fields): Promise<Fields> {
    const sources = sandbox.template_sources;
    const docker = sandbox.docker;
    if (!Array.isArray(sources) && typeof childOf(docker, "dockerfile_path") !== "string") return sandbox;
    return {
      ...sandbox,
      ...(Array.isArray(sources) ? { template_sources: await this.#templates(sources) } : {}),
      ...(isMapping(docker) ? { docker: await this.#docker(docker) } : {}),
    };
  }

  async #templates(sources: readonly unknown[]): Promise<unknown[]> {
    const resolved: unknown[] = [];
    for (const [index, source] of sources.entries()) {
      const text = childOf(source, "path");
      if (!isMapping(source) || typeof text !== "string") {
        resolved.push(source);
        continue;
      }
      const place = ["sandbox", "template_sources", index, "path"];
      const path = this.#path(text, place);
      if (path !== undefined) await this.#warnUnlessFolder(text, path, place);
      resolved.push({ ...source, path: path ?? text });
    }
    return resolved;
  }

  /** Only a warning: as in 0.8.2 the task itself ends in an error, which the results then show. */
  async #warnUnlessFolder(text: string, full: string, path: readonly PropertyKey[]): Promise<void> {
    const stats = await stat(full).catch(() => undefined);
    if (stats?.isDirectory() === true) return;
    const message = stats === undefined ? `the template folder ${quote(text)} does not exist` : `the template ${quote(text)} is no folder`;
    this.#problems.push({ severity: "warning", code: "missing-template", path, message, hint: "the task will end in an error" });
  }

  async #docker(docker: Fields): Promise<Fields> {
    const text = docker.dockerfile_path;
    if (typeof text !== "string") return docker;
    const place = ["sandbox", "docker", "dockerfile_path"];
    const path = this.#path(text, place);
    if (path === undefined) return docker;
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() !== true) {
      const message = `the Dockerfile ${quote(text)} ${stats === undefined ? "does not exist" : "is no file"}`;
      this.#problems.push({ severity: "error", code: "missing-file", path: place, message });
    }
    return { ...docker, dockerfile_path: path };
  }
}
