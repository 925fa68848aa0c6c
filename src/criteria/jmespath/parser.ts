import type { JsonValue } from "../json/value.ts";
import { type Token, type TokenType, tokenize } from "./lexer.ts";
import { TokenCursor } from "./token-cursor.ts";

export type Comparator = "eq" | "ne" | "lt" | "lte" | "gt" | "gte";

export type Node =
  | { readonly kind: "current" }
  | { readonly kind: "literal"; readonly value: JsonValue }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "slice"; readonly parts: readonly (number | undefined)[] }
  | { readonly kind: "chain"; readonly left: Node; readonly right: Node }
  | { readonly kind: "list projection" | "object projection" | "flatten projection"; readonly left: Node; readonly right: Node }
  | { readonly kind: "filter"; readonly left: Node; readonly right: Node; readonly condition: Node }
  | { readonly kind: "compare"; readonly operator: Comparator; readonly left: Node; readonly right: Node }
  | { readonly kind: "or" | "and"; readonly left: Node; readonly right: Node }
  | { readonly kind: "not"; readonly operand: Node }
  | { readonly kind: "list"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly entries: readonly (readonly [string, Node])[] }
  | { readonly kind: "reference"; readonly body: Node }
  | { readonly kind: "call"; readonly name: string; readonly args: readonly Node[] };

/** How tightly each token holds what is on its left; tokens below `projectionStop` end a projection. */
const power: Partial<Record<TokenType, number>> = {
  pipe: 1,
  or: 2,
  and: 3,
  eq: 5,
  ne: 5,
  lt: 5,
  lte: 5,
  gt: 5,
  gte: 5,
  flatten: 9,
  star: 20,
  filter: 21,
  dot: 40,
  not: 45,
  lbrace: 50,
  lbracket: 55,
  lparen: 60,
};
const projectionStop = 10;
const current: Node = { kind: "current" };
const identifiers: readonly TokenType[] = ["quoted_identifier", "unquoted_identifier"];

/**
 * Parses JMESPath as Python's `jmespath` 1.x does, without the extensions of newer dialects (arithmetic, `$`, `let`, text slices).
 * @throws JmespathError with the message of Python's library
 */
export function parseJmespath(expression: string): Node {
  return new Parser(expression, tokenize(expression)).parse();
}

class Parser extends TokenCursor {
  parse(): Node {
    const node = this.expressionOf(0);
    const token = this.peek();
    if (token.type !== "eof") throw this.bad(token, `Unexpected token: ${token.value}`);
    return node;
  }

  private expressionOf(minPower: number): Node {
    let left = this.prefix(this.next());
    while ((power[this.peek().type] ?? 0) > minPower) left = this.infix(this.next(), left);
    return left;
  }

  private prefix(token: Token): Node {
    switch (token.type) {
      case "literal":
        return { kind: "literal", value: token.value };
      case "unquoted_identifier":
        return { kind: "field", name: String(token.value) };
      case "quoted_identifier":
        if (this.peek().type === "lparen") throw this.bad(this.peek(), "Quoted identifier not allowed for function names.", token.start);
        return { kind: "field", name: String(token.value) };
      case "star":
        return { kind: "object projection", left: current, right: this.peek().type === "rbracket" ? current : this.projected(20) };
      case "filter":
        return this.filter(current);
      case "lbrace":
        return this.multiObject();
      case "lparen": {
        const node = this.expressionOf(0);
        this.expect("rparen");
        return node;
      }
      case "flatten":
        return { kind: "flatten projection", left: current, right: this.projected(9) };
      case "not":
        return { kind: "not", operand: this.expressionOf(45) };
      case "lbracket":
        return this.bracketPrefix();
      case "current":
        return current;
      case "expref":
        return { kind: "reference", body: this.expressionOf(0) };
      case "eof":
        throw this.incomplete(token);
      default:
        throw this.bad(token, "invalid token");
    }
  }

  private infix(token: Token, left: Node): Node {
    switch (token.type) {
      case "dot":
        if (this.peek().type !== "star") return { kind: "chain", left, right: this.afterDot(40) };
        this.next();
        return { kind: "object projection", left, right: this.projected(40) };
      case "pipe":
        return { kind: "chain", left, right: this.expressionOf(1) };
      case "or":
        return { kind: "or", left, right: this.expressionOf(2) };
      case "and":
        return { kind: "and", left, right: this.expressionOf(3) };
      case "lparen":
        return this.call(token, left);
      case "filter":
        return this.filter(left);
      case "eq":
      case "ne":
      case "lt":
      case "lte":
      case "gt":
      case "gte":
        return { kind: "compare", operator: token.type, left, right: this.expressionOf(5) };
      case "flatten":
        return { kind: "flatten projection", left, right: this.projected(9) };
      case "lbracket":
        return this.bracketInfix(left);
      default:
        throw this.bad(token, "invalid token");
    }
  }

  private bracketPrefix(): Node {
    const type = this.peek().type;
    if (type === "number" || type === "colon") return this.indexOrSlice(current);
    if (type === "star" && this.peek(1).type === "rbracket") {
      this.next();
      this.next();
      return { kind: "list projection", left: current, right: this.projected(20) };
    }
    return this.multiList();
  }

  private bracketInfix(left: Node): Node {
    const type = this.peek().type;
    if (type === "number" || type === "colon") return this.indexOrSlice(left);
    this.expect("star");
    this.expect("rbracket");
    return { kind: "list projection", left, right: this.projected(20) };
  }

  private indexOrSlice(left: Node): Node {
    if (this.peek().type !== "colon" && this.peek(1).type !== "colon") {
      const index = Number(this.next().value);
      this.expect("rbracket");
      return { kind: "chain", left, right: { kind: "index", index } };
    }
    const parts: (number | undefined)[] = [undefined, undefined, undefined];
    let part = 0;
    for (let token = this.peek(); token.type !== "rbracket" && part < 3; token = this.peek()) {
      if (token.type === "colon") {
        part += 1;
        if (part === 3) throw this.bad(token, "syntax error");
      } else if (token.type === "number") {
        parts[part] = Number(token.value);
      } else {
        throw this.bad(token, "syntax error");
      }
      this.next();
    }
    this.expect("rbracket");
    return { kind: "list projection", left: { kind: "chain", left, right: { kind: "slice", parts } }, right: this.projected(20) };
  }

  private filter(left: Node): Node {
    const condition = this.expressionOf(0);
    this.expect("rbracket");
    return { kind: "filter", left, condition, right: this.peek().type === "flatten" ? current : this.projected(21) };
  }

  private projected(bindingPower: number): Node {
    const token = this.peek();
    if ((power[token.type] ?? 0) < projectionStop) return current;
    if (token.type === "lbracket" || token.type === "filter") return this.expressionOf(bindingPower);
    if (token.type !== "dot") throw this.bad(token, "syntax error");
    this.next();
    return this.afterDot(bindingPower);
  }

  private afterDot(bindingPower: number): Node {
    const type = this.peek().type;
    if (type === "star" || identifiers.includes(type)) return this.expressionOf(bindingPower);
    if (type === "lbracket") {
      this.next();
      return this.multiList();
    }
    if (type === "lbrace") {
      this.next();
      return this.multiObject();
    }
    throw this.wanted([...identifiers, "lbracket", "lbrace"]);
  }

  private multiList(): Node {
    const items: Node[] = [];
    for (;;) {
      items.push(this.expressionOf(0));
      if (this.peek().type === "rbracket") break;
      this.expect("comma");
    }
    this.expect("rbracket");
    return { kind: "list", items };
  }

  /** A comma between two entries may be missing, as in the original. */
  private multiObject(): Node {
    const entries: (readonly [string, Node])[] = [];
    for (;;) {
      const key = this.peek();
      if (!identifiers.includes(key.type)) throw this.wanted(identifiers);
      this.next();
      this.expect("colon");
      entries.push([String(key.value), this.expressionOf(0)]);
      if (this.peek().type === "comma") this.next();
      else if (this.peek().type === "rbrace") break;
      else if (this.peek().type === "eof") throw this.incomplete(this.peek());
    }
    this.expect("rbrace");
    return { kind: "object", entries };
  }

  private call(token: Token, callee: Node): Node {
    if (callee.kind !== "field") throw this.bad(token, `Invalid function name '${callee.kind}'`);
    const args: Node[] = [];
    while (this.peek().type !== "rparen") {
      args.push(this.expressionOf(0));
      if (this.peek().type === "comma") this.next();
    }
    this.expect("rparen");
    return { kind: "call", name: callee.name, args };
  }
}
