import { stat } from "node:fs/promises";
import { posix, resolve } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import { compileFnmatch } from "../../plan/files/fnmatch.ts";
import type { TemplateSource } from "../../plan/schema/task-schema.ts";
import type { FileEntry, Sandbox } from "../sandbox.ts";
import { copyError } from "./copy-error.ts";
import { linkLeavesTree, readHostTree } from "./host-tree.ts";
import { createIgnore } from "./ignore-list.ts";
import type { RepoSource } from "./repo-source.ts";

export interface TemplateOptions {
  /** `sandbox.ignore_patterns` of the task. */
  readonly ignorePatterns: readonly string[];
  /** Base of a relative `path`: the directory of the task file. */
  readonly taskDir: string;
  /** Where `repo` sources come from. */
  readonly repos: RepoSource;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
}

type TemplateDir = Extract<TemplateSource, { type: "template_dir" }>;
type StarterFiles = Extract<TemplateSource, { type: "starter_files" }>;

/**
 * Puts the template sources of a task into its sandbox, in list order, later ones over earlier ones (formats.md 1.4).
 * @throws SandboxSetupError `template_copy_error` or `git_clone_error`, SandboxLostError, EnvironmentError, or the signal's reason
 */
export async function applyTemplates(sandbox: Sandbox, sources: readonly TemplateSource[], options: TemplateOptions): Promise<void> {
  for (const source of sources) {
    options.signal.throwIfAborted();
    if (source.type === "repo") {
      await options.repos.copyInto(sandbox, source, options);
      continue;
    }
    try {
      if (source.type === "template_dir") await copyTemplateDir(sandbox, source, options);
      else await sandbox.putFiles(starterEntries(source), ".", options.signal);
    } catch (error) {
      const name = source.type === "template_dir" ? `template ${source.path}` : "starter files";
      throw copyError(error, name, options.signal);
    }
  }
}

async function copyTemplateDir(sandbox: Sandbox, source: TemplateDir, options: TemplateOptions): Promise<void> {
  const root = resolve(options.taskDir, source.path);
  const stats = await stat(root).catch(() => undefined);
  if (stats?.isDirectory() !== true) {
    throw new SandboxSetupError(
      "template_copy_error",
      `template directory ${root} ${stats === undefined ? "does not exist" : "is not a directory"}`,
      {
        hint: "template_dir paths are relative to the task file",
      },
    );
  }
  const patterns = source.include_patterns.map(compileFnmatch);
  const entries = readHostTree(root, {
    isIgnored: createIgnore(options.ignorePatterns),
    isIncluded: patterns.length === 0 ? undefined : (path) => patterns.some((matches) => matches(path)),
    onSkipped: (path, reason) => options.log(`template ${source.path}: left out ${path}: ${reason}`),
    signal: options.signal,
  });
  await sandbox.putFiles(withLinkNotes(entries, source.path, options.log), posix.normalize(source.mount_point), options.signal);
}

/** A link out of the template is copied as it is, as coder_eval does; that it will lead nowhere is worth a line. */
async function* withLinkNotes(entries: AsyncIterable<FileEntry>, name: string, log: (line: string) => void): AsyncGenerator<FileEntry> {
  for await (const entry of entries) {
    if (entry.kind === "symlink" && linkLeavesTree(entry.path, entry.target)) {
      log(`template ${name}: link ${entry.path} points out of the template and is copied as it is`);
    }
    yield entry;
  }
}

function* starterEntries(source: StarterFiles): Generator<FileEntry> {
  for (const file of source.files) {
    yield { kind: "file", path: posix.normalize(file.path), mode: 0o644, content: Buffer.from(file.content) };
  }
}
