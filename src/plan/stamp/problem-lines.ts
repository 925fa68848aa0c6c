import { compareCodePoints } from "../code-points.ts";
import { escapeInvisible } from "../found-text.ts";

const maxLines = 50;

/** What went wrong, each once; of very much only the number. */
export class ProblemLines {
  readonly #lines = new Set<string>();

  add(line: string): void {
    this.#lines.add(escapeInvisible(line));
  }

  list(): readonly string[] {
    const sorted = [...this.#lines].sort(compareCodePoints);
    const rest = sorted.length - maxLines;
    return rest > 0 ? [...sorted.slice(0, maxLines), `${rest} more like these`] : sorted;
  }
}
