/** One piece of a name's pattern. */
export type PatternToken =
  | { readonly kind: "char"; readonly char: string }
  | { readonly kind: "one" }
  | { readonly kind: "many" }
  | SetToken;

interface SetToken {
  readonly kind: "set";
  readonly negated: boolean;
  readonly ranges: readonly (readonly [number, number])[];
}

/** Python's `fnmatch.fnmatchcase`: `*` and `?` match any character, `/` and leading dots too. */
export function compileFnmatch(pattern: string): (text: string) => boolean {
  const tokens = patternTokens(pattern);
  return (text) => matchTokens(tokens, [...text]);
}

/** The pieces of a pattern: `*`, `?`, `[…]` and `[!…]` are special, all else stands for itself. */
export function patternTokens(pattern: string): PatternToken[] {
  const characters = [...pattern];
  const tokens: PatternToken[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const char = characters[index] ?? "";
    if (char === "*") {
      if (tokens.at(-1)?.kind !== "many") tokens.push({ kind: "many" });
    } else if (char === "?") {
      tokens.push({ kind: "one" });
    } else if (char === "[") {
      const end = endOfSet(characters, index);
      if (end === -1) tokens.push({ kind: "char", char });
      else {
        tokens.push(parseSet(characters.slice(index + 1, end)));
        index = end;
      }
    } else {
      tokens.push({ kind: "char", char });
    }
  }
  return tokens;
}

/** A `]` right after `[` or `[!` is a member of the set; without a closing one the `[` is an ordinary character. */
function endOfSet(characters: readonly string[], start: number): number {
  let first = start + 1;
  if (characters[first] === "!") first += 1;
  return characters.indexOf("]", first + 1);
}

function parseSet(characters: readonly string[]): SetToken {
  const negated = characters[0] === "!";
  const members = (negated ? characters.slice(1) : characters).map((char) => char.codePointAt(0) ?? 0);
  const ranges: [number, number][] = [];
  const dash = 0x2d;
  for (let index = 0; index < members.length; index += 1) {
    const from = members[index] ?? 0;
    const to = members[index + 2];
    if (members[index + 1] === dash && to !== undefined) {
      ranges.push([from, to]);
      index += 2;
    } else {
      ranges.push([from, from]);
    }
  }
  return { kind: "set", negated, ranges };
}

/** Whether the pieces match all of the characters. Goes back to the last `*` only: quadratic at worst, never exponential. */
export function matchTokens(tokens: readonly PatternToken[], text: readonly string[]): boolean {
  let token = 0;
  let position = 0;
  let lastMany = -1;
  let resumeAt = 0;
  while (position < text.length) {
    const current = tokens[token];
    if (current?.kind === "many") {
      lastMany = token;
      resumeAt = position;
      token += 1;
    } else if (current !== undefined && matchesOne(current, text[position] ?? "")) {
      token += 1;
      position += 1;
    } else if (lastMany >= 0) {
      resumeAt += 1;
      position = resumeAt;
      token = lastMany + 1;
    } else {
      return false;
    }
  }
  while (tokens[token]?.kind === "many") token += 1;
  return token === tokens.length;
}

function matchesOne(token: PatternToken, char: string): boolean {
  if (token.kind === "char") return token.char === char;
  if (token.kind === "set") {
    const code = char.codePointAt(0) ?? 0;
    return token.ranges.some(([from, to]) => code >= from && code <= to) !== token.negated;
  }
  return true;
}
