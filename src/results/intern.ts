import type { AnyObject } from "./tolerant.ts";

export type Intern = (value: AnyObject | null) => AnyObject | null;

const maxKept = 1000;

/** Gives the same object for equal ones: most tasks of a run share their agent's configuration, and each row holds one. */
export function createInterner(): Intern {
  const known = new Map<string, AnyObject>();
  return (value) => {
    if (value === null) return null;
    const text = JSON.stringify(value);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size < maxKept) known.set(text, value);
    return value;
  };
}
