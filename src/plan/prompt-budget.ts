import type { Problem } from "./issues.ts";

/** Characters that the changed prompts of a plan may have together: each is held until its task ends. */
export const maxPromptCharacters = 512 * 1024 * 1024;

/** Counts the prompts that variants and mutations make: rows × variants × megabytes would end the process without a word. */
export class PromptBudget {
  #left: number;

  constructor(characters = maxPromptCharacters) {
    this.#left = characters;
  }

  /** Takes a prompt into account. Gives what is wrong once there are too many. */
  take(prompt: string | null): Problem | undefined {
    this.#left -= prompt?.length ?? 0;
    if (this.#left >= 0) return undefined;
    const message = "the prompts of all rows and variants together are too long to be held";
    const hint = "run fewer variants or rows at a time, or shorten what the experiment adds";
    return { severity: "error", code: "too-much-text", path: ["initial_prompt"], message, hint };
  }
}
