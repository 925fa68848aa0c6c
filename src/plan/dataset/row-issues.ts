import type { Issue } from "../../errors.ts";

/** More findings about one dataset than these say nothing new. */
const maxRowIssues = 20;

/** Findings about the rows of one dataset: the first ones in full, of the others how many they are. */
export class RowIssues {
  readonly #kept: Issue[] = [];
  #more = 0;
  readonly #limit: number;

  /** `limit`: findings after which nobody should go on reading. */
  constructor(limit = Number.POSITIVE_INFINITY) {
    this.#limit = limit;
  }

  get isEmpty(): boolean {
    return this.#kept.length === 0;
  }

  get isFull(): boolean {
    return this.#kept.length + this.#more >= this.#limit;
  }

  /** The issue is only made where it is kept. */
  add(make: () => Issue): void {
    if (this.#kept.length < maxRowIssues) this.#kept.push(make());
    else this.#more += 1;
  }

  /** `file` is the task's. */
  list(file: string): readonly Issue[] {
    if (this.#more === 0) return this.#kept;
    const message = `and ${this.isFull ? "at least " : ""}${this.#more} more ${this.#more === 1 ? "problem" : "problems"} in the rows of this dataset`;
    return [...this.#kept, { severity: "error", code: "more-problems", message, file, field: "dataset" }];
  }
}
