import type { FileEntry } from "../../sandbox/sandbox.ts";

/** A file for the agent's home that only its user reads. */
export function homeFile(path: string, text: string): FileEntry {
  return { kind: "file", path, mode: 0o600, content: Buffer.from(text) };
}

/** Where the text of `system_prompt` is put, relative to the home: an argument may be read by every process. */
export const systemPromptPath = ".evalbatch/system-prompt/AGENTS.md";

/** The file of the prompt that is added to the agent's own; nothing where the task has none. */
export function systemPromptFiles(systemPrompt: string | null): readonly FileEntry[] {
  return isBlank(systemPrompt) ? [] : [homeFile(systemPromptPath, `${systemPrompt}\n`)];
}

/** A blank prompt is none [0.10+] (formats.md 1.3). */
export function isBlank(text: string | null): text is null {
  return text === null || text.trim() === "";
}
