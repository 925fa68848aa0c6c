import type { Node, Width } from "./regex-ast.ts";
import { lengthOf, type PatternTokens } from "./regex-tokens.ts";
import { pythonRepr } from "./repr.ts";

/** Python's MAXGROUPS. */
const maxGroups = 1073741823;

/** The groups seen so far while a pattern is read, and what may refer to them. */
export class GroupTable {
  readonly #tokens: PatternTokens;
  readonly #byName = new Map<string, number>();
  /** Width per group number; undefined while the group is open. Number 0 is the whole match, always open. */
  readonly #widths: (Width | undefined)[] = [undefined];
  /** Positions of conditionals that named a group by number, which may come later. */
  readonly #pending = new Map<number, number>();
  /** Inside a look-behind: how many groups there were at its start. */
  #lookBehindLimit: number | undefined;

  constructor(tokens: PatternTokens) {
    this.#tokens = tokens;
  }

  get count(): number {
    return this.#widths.length - 1;
  }

  get byName(): ReadonlyMap<string, number> {
    return this.#byName;
  }

  open(name: string | undefined): number {
    const group = this.#widths.length;
    if (name !== undefined) {
      const other = this.#byName.get(name);
      if (other !== undefined) {
        const message = `redefinition of group name ${pythonRepr(name)} as group ${group}; was group ${other}`;
        throw this.#tokens.error(message, lengthOf(name) + 1);
      }
      this.#byName.set(name, group);
    }
    this.#widths.push(undefined);
    return group;
  }

  close(group: number, width: Width): void {
    this.#widths[group] = width;
  }

  /** `\1` */
  refer(group: number, length: number): Node {
    if (group > this.count) throw this.#tokens.error(`invalid group reference ${group}`, length - 1);
    return this.#reference(group, length);
  }

  /** `(?P=name)` */
  referByName(name: string): Node {
    return this.#reference(this.#named(name), lengthOf(name) + 1);
  }

  /** `(?(1)…)` or `(?(name)…)` */
  condition(name: string): number {
    const group = /^[0-9]+$/.test(name) ? this.#numbered(name) : this.#conditionName(name);
    this.#checkLookBehind(group);
    return group;
  }

  /** Reads something inside a look-behind. */
  lookBehind<T>(read: () => T): T {
    if (this.#lookBehindLimit !== undefined) return read();
    this.#lookBehindLimit = this.#widths.length;
    const result = read();
    this.#lookBehindLimit = undefined;
    return result;
  }

  /** At the end of the pattern: conditionals on groups that never came. */
  checkPending(): void {
    for (const [group, position] of this.#pending) {
      if (group > this.count) throw this.#tokens.errorAt(`invalid group reference ${group}`, position);
    }
  }

  #reference(group: number, back: number): Node {
    const width = this.#widths[group];
    if (width === undefined) throw this.#tokens.error("cannot refer to an open group", back);
    this.#checkLookBehind(group);
    return { kind: "reference", group, width };
  }

  #numbered(digits: string): number {
    const group = Number(digits);
    if (group === 0) throw this.#tokens.error("bad group number", digits.length + 1);
    if (group >= maxGroups) throw this.#tokens.error(`invalid group reference ${BigInt(digits)}`, digits.length + 1);
    if (!this.#pending.has(group)) this.#pending.set(group, this.#tokens.position - digits.length - 1);
    return group;
  }

  #conditionName(name: string): number {
    this.#tokens.checkGroupName(name, 1);
    return this.#named(name);
  }

  #named(name: string): number {
    const group = this.#byName.get(name);
    if (group === undefined) throw this.#tokens.error(`unknown group name ${pythonRepr(name)}`, lengthOf(name) + 1);
    return group;
  }

  #checkLookBehind(group: number): void {
    if (this.#lookBehindLimit === undefined) return;
    if (this.#widths[group] === undefined) throw this.#tokens.error("cannot refer to an open group");
    if (group >= this.#lookBehindLimit) {
      throw this.#tokens.error("cannot refer to group defined in the same lookbehind subpattern");
    }
  }
}
