/** What a flag of a call must be: exactly one of the first six is set (formats.md 2.2, FlagMatch). */
export interface FlagRule {
  readonly equals: string | null;
  readonly contains: string | null;
  readonly matches_regex: string | null;
  readonly any_of: readonly string[] | null;
  readonly absent: boolean;
  readonly present: boolean;
  readonly aliases: readonly string[];
  /** Python's numbers, for `matches_regex`. */
  readonly flags: number;
}

/** Which calls of a tool are meant: of `cli_called` and of `record_cli[].responses[].when`. */
export interface CliMatch {
  readonly verb: string | null;
  readonly verb_any_of: readonly string[] | null;
  readonly positional: readonly string[] | null;
  readonly flags: Readonly<Record<string, FlagRule>> | null;
  readonly value_flags: readonly string[];
  readonly ignore_flags: readonly string[];
}

/** Python's `re.search`, as far as it is asked here. What it throws ends the match. */
export type PatternSearch = (pattern: string, flags: number, text: string) => Promise<boolean>;

/**
 * Whether a call, given by its words behind the tool's name, is one that is meant (formats.md 2.2). `--x=v` binds; a flag with a value
 * rule or in `value_flags` takes the next word; `--` ends flags; negative numbers are no flags; `-abc` is three flags unless `abc` is one
 * that the rule names. `verb` and then `positional` are the first of the words that are left. A flag that is given several times fits
 * when one of its values does. A stand-in runs this function from its source text: it must not use anything but its arguments and
 * JavaScript's own globals.
 */
export async function matchCall(match: CliMatch, argv: readonly string[], search: PatternSearch): Promise<boolean> {
  const bare = (name: string): string => name.replace(/^-+/, "");
  const rules = Object.entries(match.flags ?? {}).map(([name, rule]) => ({ rule, names: new Set([name, ...rule.aliases].map(bare)) }));
  const named = new Set(rules.flatMap(({ names }) => [...names]));
  const withValue = new Set(match.value_flags.map(bare));
  for (const { rule, names } of rules) if (!rule.absent && !rule.present) for (const name of names) withValue.add(name);
  const ignored = new Set(match.ignore_flags.map(bare).filter((name) => !named.has(name)));
  const isKnown = (name: string): boolean => named.has(name) || withValue.has(name) || ignored.has(name);

  const words: string[] = [];
  const found: { readonly name: string; readonly value: string | undefined }[] = [];
  let at = 0;
  const take = (name: string, bound: string | undefined): void => {
    if (bound !== undefined || !withValue.has(name)) {
      found.push({ name, value: bound });
      return;
    }
    at += 1;
    found.push({ name, value: argv[at] });
  };
  const takeCluster = (text: string, bound: string | undefined): void => {
    const letters = [...text];
    for (const [index, letter] of letters.entries()) {
      const rest = letters.slice(index + 1).join("");
      if (rest !== "" && withValue.has(letter)) {
        take(letter, bound === undefined ? rest : `${rest}=${bound}`);
        return;
      }
      if (rest === "") take(letter, bound);
      else found.push({ name: letter, value: undefined });
    }
  };
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? "";
    if (word === "--") {
      words.push(...argv.slice(at + 1));
      break;
    }
    const isNumber = /^-(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(word) && !isKnown(bare(word));
    if (!word.startsWith("-") || word === "-" || isNumber) {
      words.push(word);
      continue;
    }
    const equals = word.indexOf("=");
    const name = bare(equals < 0 ? word : word.slice(0, equals));
    const bound = equals < 0 ? undefined : word.slice(equals + 1);
    if (word.startsWith("--") || name.length < 2 || isKnown(name)) take(name, bound);
    else takeCluster(name, bound);
  }

  const startsWith = (from: number, wanted: readonly string[]): boolean => wanted.every((word, index) => words[from + index] === word);
  const verbs = (match.verb_any_of ?? (match.verb === null ? [""] : [match.verb])).map((verb) => verb.split(/\s+/).filter(Boolean));
  const positional = match.positional ?? [];
  if (!verbs.some((verb) => startsWith(0, verb) && startsWith(verb.length, positional))) return false;

  for (const { rule, names } of rules) {
    const given = found.filter(({ name }) => names.has(name) && !ignored.has(name));
    if (rule.absent ? given.length > 0 : given.length === 0) return false;
    if (rule.absent || rule.present) continue;
    let fits = false;
    for (const { value } of given) {
      if (fits || value === undefined) continue;
      if (rule.equals !== null) fits = value === rule.equals;
      else if (rule.contains !== null) fits = value.includes(rule.contains);
      else if (rule.any_of !== null) fits = rule.any_of.includes(value);
      else if (rule.matches_regex !== null) fits = await search(rule.matches_regex, rule.flags, value);
    }
    if (!fits) return false;
  }
  return true;
}
