/** A small seeded generator, so that a case that fails can be made again. */
export class Dice {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** 0 … below - 1 */
  roll(below: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  }
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }
  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.roll(items.length)] ?? items[0];
  }
}

const plain = ["a", "b", "A", "B", "c", "1", "_", " ", "-"] as const;
const odd = [
  "\n",
  "é",
  "É",
  "ß",
  "ſ",
  "s",
  "K",
  "k",
  "K",
  "İ",
  "ı",
  "i",
  "I",
  "µ",
  "Μ",
  "σ",
  "ς",
  "Σ",
  "𐐀",
  "𐐨",
  "٣",
  "ǅ",
  "ǆ",
  "\t",
  "\r",
  "\0",
  "#",
] as const;
const escapes = ["\\w", "\\W", "\\d", "\\D", "\\s", "\\S", "\\n", "\\.", "\\x41", "\\u017f", "\\141", "\\-", "\\U00010400"] as const;
const anchors = ["^", "$", "\\A", "\\Z", "\\b", "\\B"] as const;
const quantifiers = [
  "*",
  "+",
  "?",
  "*?",
  "+?",
  "??",
  "*+",
  "++",
  "?+",
  "{2}",
  "{1,2}",
  "{,2}",
  "{1,}",
  "{0,2}?",
  "{1,3}+",
  "{0}",
  "{,}",
] as const;
const specials = [..."\\.[]{}()*+?^$|-&~:=!<>P#'n1,x"] as [string, ...string[]];
const flagSets = [0, 0, 0, 2, 8, 16, 64, 256, 258, 10, 26, 2] as const;

/** One random pattern with flags that suit it; most of them compile. */
export class PatternMaker {
  readonly #dice: Dice;
  #groups = 0;
  #closed = 0;
  #open: number | undefined;
  #names: string[] = [];

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  make(): { readonly pattern: string; readonly flags: number } {
    this.#groups = 0;
    this.#closed = 0;
    this.#names = [];
    const dice = this.#dice;
    const start = dice.chance(8) ? dice.pick(["(?i)", "(?s)", "(?m)", "(?x)", "(?a)", "(?im)", "(?ia)"]) : "";
    let pattern = start + this.#alternatives(3);
    if (dice.chance(12)) pattern = this.#spoil(pattern);
    return { pattern, flags: dice.pick(flagSets) };
  }

  subject(): string {
    const dice = this.#dice;
    const length = dice.pick([0, 1, 2, 3, 4, 6, 8, 12]);
    return Array.from({ length }, () => (dice.chance(75) ? dice.pick(plain.slice(0, 4) as [string, ...string[]]) : this.#character())).join(
      "",
    );
  }

  #character(): string {
    return this.#dice.chance(75) ? this.#dice.pick(plain) : this.#dice.pick(odd);
  }

  #alternatives(depth: number): string {
    const count = this.#dice.pick([1, 1, 1, 2, 3]);
    return Array.from({ length: count }, () => this.#sequence(depth)).join("|");
  }

  #sequence(depth: number): string {
    const count = this.#dice.pick([0, 1, 1, 2, 2, 3]);
    return Array.from({ length: count }, () => this.#item(depth)).join("");
  }

  #item(depth: number): string {
    const item = this.#atom(depth);
    const fixed = anchors.some((anchor) => anchor === item) && this.#dice.chance(90);
    if (fixed || !this.#dice.chance(40)) return item;
    const quantifier = this.#dice.pick(quantifiers);
    // Python itself loses track of groups in possessive repeats: see `regex-fuzz.test.ts`.
    const possessive = quantifier.length > 1 && quantifier.endsWith("+") && item.endsWith(")") && this.#dice.chance(90);
    return item + (possessive ? "+" : quantifier);
  }

  #atom(depth: number): string {
    const dice = this.#dice;
    const kind = dice.roll(depth > 0 ? 20 : 9);
    if (kind < 5) return this.#character();
    if (kind === 5) return ".";
    if (kind === 6) return dice.pick(escapes);
    if (kind === 7) return this.#set();
    if (kind === 8) return dice.pick(anchors);
    if (kind < 13) return this.#capture(depth);
    if (kind === 13) return `(?:${this.#alternatives(depth - 1)})`;
    if (kind === 14) return `(?${dice.pick(["i", "-i", "s", "m", "a", "i-s", "u", "x"])}:${this.#alternatives(depth - 1)})`;
    if (kind === 15) return `(?>${this.#alternatives(depth - 1)})`;
    if (kind === 16) return `(?${dice.pick(["=", "!"])}${this.#alternatives(depth - 1)})`;
    if (kind === 17) return `(?${dice.pick(["<=", "<!"])}${dice.chance(85) ? this.#character() : this.#sequence(depth - 1)})`;
    return this.#reference(depth);
  }

  #capture(depth: number): string {
    this.#groups += 1;
    const name = this.#dice.chance(20) ? `n${this.#groups}` : undefined;
    // Only groups up to the first that is still open are sure to be closed.
    const before = this.#open;
    this.#open ??= this.#groups;
    const body = this.#alternatives(depth - 1);
    this.#open = before;
    this.#closed = before === undefined ? this.#groups : before - 1;
    if (name === undefined) return `(${body})`;
    this.#names.push(name);
    return `(?P<${name}>${body})`;
  }

  #reference(depth: number): string {
    const dice = this.#dice;
    if (this.#closed === 0 && dice.chance(90)) return this.#capture(depth);
    const group = 1 + dice.roll(Math.max(1, dice.chance(90) ? this.#closed : this.#groups));
    const [name] = this.#names;
    if (dice.chance(30)) return `(?(${group})${this.#sequence(depth - 1)}${dice.chance(60) ? `|${this.#sequence(depth - 1)}` : ""})`;
    return name !== undefined && dice.chance(40) ? `(?P=${name})` : `\\${group}`;
  }

  #set(): string {
    const dice = this.#dice;
    const items = Array.from({ length: 1 + dice.roll(3) }, () => {
      if (dice.chance(20)) return dice.pick(["\\w", "\\W", "\\d", "\\s", "\\S", "\\n", "\\]", "\\b"]);
      if (dice.chance(25)) return dice.pick(["a-c", "A-Z", "À-ÿ", "α-ω", "𐐀-𐐧", "K-𐐀", "0-9", " --", "ā-ſ"]);
      return this.#character();
    });
    return `[${dice.chance(30) ? "^" : ""}${items.join("")}]`;
  }

  /** A slip of the keyboard. */
  #spoil(pattern: string): string {
    const dice = this.#dice;
    const characters = Array.from(pattern);
    const at = dice.roll(characters.length + 1);
    characters.splice(at, dice.roll(2), ...Array.from({ length: dice.roll(3) }, () => dice.pick(specials)));
    return characters.join("");
  }
}
