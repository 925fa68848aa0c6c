import { type CodeSet, contains, fullSet } from "./code-set.ts";
import { PythonRegexError } from "./python-error.ts";
import { type Anchor, type Node, type PatternTree, regexFlags, type Sequence } from "./regex-ast.ts";
import { casingOf, characterSet, groupFlags, singleCharacter } from "./regex-characters.ts";
import { categorySet, lowerPairs } from "./regex-classes.ts";
import { firstCharacters, startsAnchored } from "./regex-first.ts";
import { anchors, bitWords, noLimit, opcodes, type Program } from "./regex-program.ts";

/**
 * The program for a pattern.
 * @throws PythonRegexError for a look-behind of variable width
 */
export function compileTree(tree: PatternTree): Program {
  return new Compiler(tree).compile();
}

class Compiler {
  readonly #tree: PatternTree;
  readonly #code: number[] = [];
  readonly #classes: Int32Array[] = [];
  readonly #classIndex = new Map<string, number>();
  readonly #lower: [Int32Array, Int32Array] = [new Int32Array(), new Int32Array()];
  #registers: number;

  constructor(tree: PatternTree) {
    this.#tree = tree;
    this.#registers = tree.groups * 2;
  }

  compile(): Program {
    const { body, flags, groups } = this.#tree;
    this.#sequence(body, flags);
    this.#emit(opcodes.success);
    const first = firstCharacters(body, flags);
    return {
      first: first === undefined ? -1 : this.#class(first),
      code: Int32Array.from(this.#code),
      classes: this.#classes,
      lower: this.#lower,
      registers: this.#registers,
      groups,
      minWidth: Math.min(body.width.min, noLimit),
      anchored: startsAnchored(body, flags),
    };
  }

  #emit(...words: readonly number[]): number {
    this.#code.push(...words);
    return this.#code.length - 1;
  }

  /** Lets the word at `index` point to what comes next. */
  #land(index: number): void {
    this.#code[index] = this.#code.length;
  }

  #register(count: number): number {
    const register = this.#registers;
    this.#registers += count;
    return register;
  }

  #sequence(sequence: Sequence, flags: number): void {
    for (const node of sequence.nodes) this.#node(node, flags);
  }

  #node(node: Node, flags: number): void {
    const single = characterSet(node, flags);
    if (single !== undefined) {
      const [op, operand] = this.#single(single);
      if (op === opcodes.any) this.#emit(op);
      else this.#emit(op, operand);
      return;
    }
    switch (node.kind) {
      case "anchor":
        this.#anchor(node.anchor, flags);
        break;
      case "branch":
        this.#branch(node.alternatives, flags);
        break;
      case "group":
        this.#group(node.group, node.body, groupFlags(flags, node.add, node.remove));
        break;
      case "atomic":
        this.#atomic(() => this.#sequence(node.body, flags));
        break;
      case "repeat":
        this.#repeat(node, flags);
        break;
      case "look":
        this.#look(node, flags);
        break;
      case "reference":
        this.#reference(node.group, flags);
        break;
      case "conditional":
        this.#conditional(node, flags);
        break;
      case "fail":
        this.#emit(opcodes.fail);
    }
  }

  /** The cheapest op for one character of a set, with its operand. */
  #single(set: CodeSet): readonly [op: number, operand: number] {
    const [from = 0, to = 0] = set;
    if (set.length === fullSet.length && from === 0 && to === fullSet[1]) return [opcodes.any, 0];
    if (set.length === 2 && to === from + 1) return [opcodes.literal, from];
    if (set.length === 4 && from === 0 && set[2] === to + 1 && set[3] === fullSet[1]) return [opcodes.notLiteral, to];
    return [opcodes.class, this.#class(set)];
  }

  #class(set: CodeSet): number {
    const key = set.join();
    const known = this.#classIndex.get(key);
    if (known !== undefined) return known;
    const words = new Int32Array(bitWords + set.length);
    for (let code = 0; code < bitWords * 32; code += 1) {
      if (contains(set, code)) words[code >> 5] = (words[code >> 5] ?? 0) | (1 << (code & 31));
    }
    words.set(set, bitWords);
    const index = this.#classes.push(words) - 1;
    this.#classIndex.set(key, index);
    return index;
  }

  #anchor(anchor: Anchor, flags: number): void {
    const word = anchor === "boundary" || anchor === "no boundary";
    const set = word ? this.#class(categorySet("w", (flags & regexFlags.ascii) !== 0)) : 0;
    this.#emit(opcodes.anchor, anchorNumber(anchor, (flags & regexFlags.multiline) !== 0), set);
  }

  #branch(alternatives: readonly Sequence[], flags: number): void {
    const ends: number[] = [];
    for (const alternative of alternatives.slice(0, -1)) {
      const next = this.#emit(opcodes.split, 0);
      this.#sequence(alternative, flags);
      ends.push(this.#emit(opcodes.jump, 0));
      this.#land(next);
    }
    for (const last of alternatives.slice(-1)) this.#sequence(last, flags);
    for (const end of ends) this.#land(end);
  }

  #group(group: number | undefined, body: Sequence, flags: number): void {
    if (group !== undefined) this.#emit(opcodes.mark, group * 2 - 2);
    this.#sequence(body, flags);
    if (group !== undefined) this.#emit(opcodes.mark, group * 2 - 1);
  }

  #atomic(body: () => void): void {
    const register = this.#register(2);
    this.#emit(opcodes.hold, register);
    body();
    this.#emit(opcodes.commit, register);
  }

  #repeat(node: Extract<Node, { kind: "repeat" }>, flags: number): void {
    const min = Math.min(node.min, noLimit);
    const max = Math.min(node.max, noLimit);
    const single = singleCharacter(node.body, flags);
    if (single !== undefined) {
      const op = node.mode === "lazy" ? opcodes.lazy : node.mode === "possessive" ? opcodes.possessive : opcodes.greedy;
      this.#emit(op, ...this.#single(single), min, max);
    } else if (node.mode === "possessive") {
      // Python keeps each round of a possessive repeat by itself: no round gives anything back to the next.
      this.#atomic(() => this.#loop(min, max, false, () => this.#atomic(() => this.#sequence(node.body, flags))));
    } else {
      this.#loop(min, max, node.mode === "lazy", () => this.#sequence(node.body, flags));
    }
  }

  #loop(min: number, max: number, lazy: boolean, body: () => void): void {
    const register = this.#register(2);
    this.#emit(opcodes.loopStart, register);
    const top = this.#code.length;
    const exit = this.#emit(lazy ? opcodes.lazyLoop : opcodes.loop, register, min, max, 0);
    if (lazy) this.#emit(opcodes.lazyRound, register, max);
    body();
    this.#emit(opcodes.jump, top);
    this.#land(exit);
  }

  #look(node: Extract<Node, { kind: "look" }>, flags: number): void {
    const register = this.#register(2);
    const { width } = node.body;
    if (node.behind && width.min > 0xffffffff) throw new PythonRegexError("looks too much behind");
    if (node.behind && width.min !== width.max) throw new PythonRegexError("look-behind requires fixed-width pattern");
    const target = node.negated ? this.#emit(opcodes.holdNot, register, 0) : undefined;
    if (target === undefined) this.#emit(opcodes.hold, register);
    if (node.behind) this.#emit(opcodes.back, Math.min(width.min, noLimit));
    this.#sequence(node.body, flags);
    this.#emit(target === undefined ? opcodes.commitAndReturn : opcodes.failNot, register);
    if (target !== undefined) this.#land(target);
  }

  #reference(group: number, flags: number): void {
    const casing = casingOf(flags);
    const register = group * 2 - 2;
    if (casing === "exact") {
      this.#emit(opcodes.reference, register);
      return;
    }
    const table = casing === "ascii" ? 0 : 1;
    this.#lower[table] = Int32Array.from(lowerPairs(casing));
    this.#emit(opcodes.lowerReference, register, table);
  }

  #conditional(node: Extract<Node, { kind: "conditional" }>, flags: number): void {
    const no = this.#emit(opcodes.conditional, node.group * 2 - 2, 0);
    this.#sequence(node.yes, flags);
    const end = this.#emit(opcodes.jump, 0);
    this.#land(no);
    if (node.no !== undefined) this.#sequence(node.no, flags);
    this.#land(end);
  }
}

function anchorNumber(anchor: Anchor, lines: boolean): number {
  switch (anchor) {
    case "start":
      return lines ? anchors.lineStart : anchors.stringStart;
    case "end":
      return lines ? anchors.lineEnd : anchors.end;
    case "string start":
      return anchors.stringStart;
    case "string end":
      return anchors.stringEnd;
    case "boundary":
      return anchors.boundary;
    case "no boundary":
      return anchors.noBoundary;
  }
}
