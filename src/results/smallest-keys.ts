/**
 * A map of at most so many entries. Of more keys the smallest stay, so that it holds the same whatever order they come in: a key that had to
 * go would have to go again. What a hostile file lists without end costs no memory without end.
 */
export class SmallestKeys<Value> {
  readonly #entries = new Map<string, Value>();
  readonly #limit: number;
  readonly #compare: (left: string, right: string) => number;
  #greatest: string | undefined;
  #hasMore = false;

  constructor(limit: number, compare: (left: string, right: string) => number) {
    this.#limit = limit;
    this.#compare = compare;
  }

  /** The entry of the key, made where there is none; undefined where the key is one too many. */
  at(key: string, make: () => Value): Value | undefined {
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size >= this.#limit) {
      this.#hasMore = true;
      const greatest = this.#greatestKey();
      if (this.#compare(key, greatest) > 0) return undefined;
      this.#entries.delete(greatest);
    }
    this.#greatest = undefined;
    const value = make();
    this.#entries.set(key, value);
    return value;
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key);
  }

  /** Sorted by key. */
  entries(): [string, Value][] {
    return [...this.#entries].sort(([a], [b]) => this.#compare(a, b));
  }

  /** Keys that are not kept have been seen. */
  get hasMore(): boolean {
    return this.#hasMore;
  }

  #greatestKey(): string {
    this.#greatest ??= [...this.#entries.keys()].reduce((a, b) => (this.#compare(a, b) >= 0 ? a : b));
    return this.#greatest;
  }
}
