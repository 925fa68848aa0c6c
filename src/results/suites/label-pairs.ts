import type { LabelPairs } from "./aggregate.ts";

/** Rows by expected and observed label. */
export class LabelCounts {
  readonly #byExpected = new Map<string, Map<string, number>>();

  get pairs(): LabelPairs {
    return this.#byExpected;
  }

  add(expected: string, observed: string, rows: number): void {
    const row = this.#byExpected.get(expected);
    if (row === undefined) this.#byExpected.set(expected, new Map([[observed, rows]]));
    else row.set(observed, (row.get(observed) ?? 0) + rows);
  }

  copy(): LabelCounts {
    const copy = new LabelCounts();
    for (const [expected, row] of this.#byExpected) for (const [observed, rows] of row) copy.add(expected, observed, rows);
    return copy;
  }
}
