import type { DatasetLimits } from "./dataset-limits.ts";

/** Filling texts would make more text than memory should hold. */
export class TooMuchTextError extends Error {}

/** Counts the characters of filled texts: a short task file and a short row can multiply to any size. */
export class TextBudget {
  readonly #limits: DatasetLimits;
  #all = 0;
  #text = 0;

  constructor(limits: DatasetLimits) {
    this.#limits = limits;
  }

  /** A new text begins. */
  begin(): void {
    this.#text = 0;
  }

  /** @throws TooMuchTextError */
  spend(characters: number): void {
    this.#text += characters;
    this.#all += characters;
    const { textCharacters, allCharacters } = this.#limits;
    if (this.#text > textCharacters) throw new TooMuchTextError(`a filled text has more than ${textCharacters} characters`);
    if (this.#all > allCharacters) throw new TooMuchTextError(`the filled texts of all rows have more than ${allCharacters} characters`);
  }
}
