/** Where a value stands in the text, and its key: offsets. */
export interface Place {
  readonly key: number | undefined;
  value: number;
  children: Map<string | number, Place> | undefined;
}

/** Keeps the places of all values while a text is read. */
export class Places {
  readonly root: Place = { key: undefined, value: 0, children: undefined };
  readonly #open: Place[] = [this.root];

  #current(): Place {
    return this.#open.at(-1) ?? this.root;
  }

  /** What follows is the value of a key, or an entry of a list. */
  enter(step: string | number, key?: number): void {
    const current = this.#current();
    const place: Place = { key, value: key ?? 0, children: undefined };
    current.children ??= new Map();
    current.children.set(step, place);
    this.#open.push(place);
  }

  /** The value begins here. */
  at(offset: number): void {
    this.#current().value = offset;
  }

  leave(): void {
    this.#open.pop();
  }
}

/** Offset of the place a path leads to, of its key or of its value; of the nearest place above it when it is not there. */
export function offsetIn(root: Place, path: readonly PropertyKey[], of: "key" | "value"): number {
  let place = root;
  for (const step of path) {
    // Names of a mapping are text; only a list has numbers.
    const next = place.children?.get(typeof step === "symbol" ? String(step) : step) ?? place.children?.get(String(step));
    if (next === undefined) break;
    place = next;
  }
  return of === "key" && place.key !== undefined ? place.key : place.value;
}
