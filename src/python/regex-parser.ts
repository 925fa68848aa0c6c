import { PythonRegexError } from "./python-error.ts";
import { type Node, type PatternTree, regexFlags, type Sequence, sequence } from "./regex-ast.ts";
import { joinAlternatives, unpackGroups } from "./regex-branches.ts";
import { parseEscape } from "./regex-escapes.ts";
import { GroupTable } from "./regex-groups.ts";
import { parseInlineFlags, startsInlineFlags } from "./regex-inline-flags.ts";
import { parseRepeat } from "./regex-repeat.ts";
import { parseSet } from "./regex-set.ts";
import { lengthOf, PatternTokens } from "./regex-tokens.ts";

/** Groups deeper than this end in Python's RecursionError (about there: it depends on the caller's own depth). */
const maxDepth = 480;

/**
 * Reads a pattern as Python 3.13 does, mistakes included.
 * @throws PythonRegexError
 */
export function parsePattern(pattern: string, flags: number): PatternTree {
  return new PatternParser(pattern, flags).parse();
}

class PatternParser {
  readonly #tokens: PatternTokens;
  readonly #groups: GroupTable;
  readonly #warnings: string[] = [];
  #flags: number;
  #depth = 0;

  constructor(pattern: string, flags: number) {
    this.#tokens = new PatternTokens(pattern);
    this.#groups = new GroupTable(this.#tokens);
    this.#flags = flags;
  }

  parse(): PatternTree {
    const body = this.#alternatives((this.#flags & regexFlags.verbose) !== 0, true);
    const flags = impliedFlags(this.#flags);
    if (this.#tokens.next !== undefined) throw this.#tokens.error("unbalanced parenthesis");
    this.#groups.checkPending();
    return { body, flags, groups: this.#groups.count, groupIndex: this.#groups.byName, warnings: this.#warnings };
  }

  #alternatives(verbose: boolean, top = false): Sequence {
    const found: Sequence[] = [];
    let spaced = verbose;
    do {
      found.push(this.#sequence(spaced, top && found.length === 0));
      if (top) spaced = (this.#flags & regexFlags.verbose) !== 0;
    } while (this.#tokens.skip("|"));
    return sequence(joinAlternatives(found));
  }

  /** @param first whether flags for the whole pattern may stand here */
  #sequence(verbose: boolean, first = false): Sequence {
    const tokens = this.#tokens;
    const nodes: Node[] = [];
    let spaced = verbose;
    for (;;) {
      if (tokens.next === undefined || tokens.next === "|" || tokens.next === ")") break;
      const token = tokens.take() ?? "";
      if (spaced && /^[ \t\n\r\v\f]$/.test(token)) continue;
      if (spaced && token === "#") this.#skipLine();
      else if (token.startsWith("\\")) nodes.push(parseEscape(tokens, token, this.#groups));
      else if (token === "[") nodes.push(parseSet(tokens, (text) => this.#warnings.push(`FutureWarning: ${text}`)));
      else if ("*+?{".includes(token)) parseRepeat(tokens, token, nodes);
      else if (token === ".") nodes.push({ kind: "any" });
      else if (token === "^") nodes.push({ kind: "anchor", anchor: "start" });
      else if (token === "$") nodes.push({ kind: "anchor", anchor: "end" });
      else if (token === "(") {
        const node = this.#group(spaced, first && nodes.length === 0);
        if (node === "flags") spaced = (this.#flags & regexFlags.verbose) !== 0;
        else if (node !== "comment") nodes.push(node);
      } else nodes.push({ kind: "literal", code: token.codePointAt(0) ?? 0, negated: false });
    }
    return sequence(unpackGroups(nodes));
  }

  #skipLine(): void {
    for (;;) {
      const token = this.#tokens.take();
      if (token === undefined || token === "\n") return;
    }
  }

  /** Everything that begins with a parenthesis, which was taken already. */
  #group(verbose: boolean, first: boolean): Node | "flags" | "comment" {
    const tokens = this.#tokens;
    const start = tokens.position - 1;
    if (!tokens.skip("?")) return this.#capture(undefined, verbose, start);
    const token = this.#mustTake();
    if (token === "P") return this.#pythonGroup(verbose, start);
    if (token === ":") return this.#body(verbose, start, (body) => ({ kind: "group", group: undefined, add: 0, remove: 0, body }));
    if (token === ">") return this.#body(verbose, start, (body) => ({ kind: "atomic", body }));
    if (token === "#") return this.#comment(start);
    if (token === "=" || token === "!") return this.#look(token, false, verbose, start);
    if (token === "<") {
      const kind = this.#mustTake();
      if (kind !== "=" && kind !== "!") throw tokens.error(`unknown extension ?<${kind}`, lengthOf(kind) + 2);
      return this.#groups.lookBehind(() => this.#look(kind, true, verbose, start));
    }
    if (token === "(") return this.#conditional(verbose, start);
    if (!startsInlineFlags(token)) throw tokens.error(`unknown extension ?${token}`, lengthOf(token) + 1);
    const flags = parseInlineFlags(tokens, token);
    if (flags.kind === "group") return this.#flagGroup(flags.add, flags.remove, verbose, start);
    this.#flags |= flags.flags;
    if (!first) throw tokens.error("global flags not at the start of the expression", tokens.position - start);
    return "flags";
  }

  #mustTake(): string {
    const token = this.#tokens.take();
    if (token === undefined) throw this.#tokens.error("unexpected end of pattern");
    return token;
  }

  #pythonGroup(verbose: boolean, start: number): Node {
    const tokens = this.#tokens;
    if (tokens.skip("<")) {
      const name = tokens.takeUntil(">", "group name");
      tokens.checkGroupName(name, 1);
      return this.#capture(name, verbose, start);
    }
    if (tokens.skip("=")) {
      const name = tokens.takeUntil(")", "group name");
      tokens.checkGroupName(name, 1);
      return this.#groups.referByName(name);
    }
    const token = this.#mustTake();
    throw tokens.error(`unknown extension ?P${token}`, lengthOf(token) + 2);
  }

  #capture(name: string | undefined, verbose: boolean, start: number): Node {
    const group = this.#groups.open(name);
    return this.#body(verbose, start, (body) => {
      this.#groups.close(group, body.width);
      return { kind: "group", group, add: 0, remove: 0, body };
    });
  }

  #flagGroup(add: number, remove: number, verbose: boolean, start: number): Node {
    const spaced = (verbose || (add & regexFlags.verbose) !== 0) && (remove & regexFlags.verbose) === 0;
    return this.#body(spaced, start, (body) => ({ kind: "group", group: undefined, add, remove, body }));
  }

  #comment(start: number): "comment" {
    for (;;) {
      if (this.#tokens.next === undefined) throw this.#tokens.error("missing ), unterminated comment", this.#tokens.position - start);
      if (this.#tokens.take() === ")") return "comment";
    }
  }

  #look(kind: "=" | "!", behind: boolean, verbose: boolean, start: number): Node {
    return this.#body(verbose, start, (body) => ({ kind: "look", behind, negated: kind === "!", body }));
  }

  #conditional(verbose: boolean, start: number): Node {
    const tokens = this.#tokens;
    const group = this.#groups.condition(tokens.takeUntil(")", "group name"));
    return this.#nested(() => {
      const yes = this.#sequence(verbose);
      const no = tokens.skip("|") ? this.#sequence(verbose) : undefined;
      if (no !== undefined && tokens.next === "|") throw tokens.error("conditional backref with more than two branches");
      this.#close(start);
      return { kind: "conditional", group, yes, no };
    });
  }

  #body(verbose: boolean, start: number, make: (body: Sequence) => Node): Node {
    return this.#nested(() => {
      const body = this.#alternatives(verbose);
      this.#close(start);
      return make(body);
    });
  }

  #close(start: number): void {
    if (!this.#tokens.skip(")")) throw this.#tokens.error("missing ), unterminated subpattern", this.#tokens.position - start);
  }

  #nested(read: () => Node): Node {
    if (this.#depth >= maxDepth) throw new PythonRegexError("maximum recursion depth exceeded", { pythonType: "RecursionError" });
    this.#depth += 1;
    const node = read();
    this.#depth -= 1;
    return node;
  }
}

/** Adds UNICODE where ASCII is not asked for. */
function impliedFlags(flags: number): number {
  if (flags & regexFlags.locale) throw valueError("cannot use LOCALE flag with a str pattern");
  if (!(flags & regexFlags.ascii)) return flags | regexFlags.unicode;
  if (flags & regexFlags.unicode) throw valueError("ASCII and UNICODE flags are incompatible");
  return flags;
}

const valueError = (message: string): PythonRegexError => new PythonRegexError(message, { pythonType: "ValueError" });
