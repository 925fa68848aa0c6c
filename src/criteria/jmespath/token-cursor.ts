import { JmespathError } from "./error.ts";
import type { Token, TokenType } from "./lexer.ts";

/** A place in a list of tokens, and the errors that point at it, worded as in Python's library. */
export class TokenCursor {
  private readonly expression: string;
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(expression: string, tokens: readonly Token[]) {
    this.expression = expression;
    this.tokens = tokens;
  }

  protected peek(ahead = 0): Token {
    return this.tokens[this.at + ahead] ?? { type: "eof", value: "", start: this.expression.length };
  }

  protected next(): Token {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  protected expect(type: TokenType): void {
    const token = this.peek();
    if (token.type !== type) {
      throw token.type === "eof" ? this.incomplete(token) : this.bad(token, `Expecting: ${type}, got: ${token.type}`);
    }
    this.next();
  }

  protected wanted(types: readonly TokenType[]): JmespathError {
    const token = this.peek();
    return this.bad(token, `Expecting: [${types.map((type) => `'${type}'`).join(", ")}], got: ${token.type}`);
  }

  protected incomplete(token: Token): JmespathError {
    const pointer = `${" ".repeat(token.start + 1)}^`;
    return new JmespathError(`Invalid jmespath expression: Incomplete expression:\n"${this.expression}"\n${pointer}`);
  }

  protected bad(token: Token, message: string, column = token.start): JmespathError {
    const where = `Parse error at column ${column}, token "${token.value}" (${token.type.toUpperCase()})`;
    return new JmespathError(`${message}: ${where}, for expression:\n"${this.expression}"\n${" ".repeat(column + 1)}^`);
  }
}
