import { parseJson } from "../json/parse.ts";
import { integer, type JsonValue } from "../json/value.ts";
import { JmespathError } from "./error.ts";

/** Names as in Python's messages. */
export type TokenType =
  | "unquoted_identifier"
  | "quoted_identifier"
  | "literal"
  | "number"
  | "dot"
  | "star"
  | "rbracket"
  | "comma"
  | "colon"
  | "current"
  | "lparen"
  | "rparen"
  | "lbrace"
  | "rbrace"
  | "lbracket"
  | "flatten"
  | "filter"
  | "pipe"
  | "or"
  | "expref"
  | "and"
  | "lt"
  | "lte"
  | "gt"
  | "gte"
  | "eq"
  | "ne"
  | "not"
  | "eof";

export interface Token {
  readonly type: TokenType;
  /** The value of a literal or number, the name of an identifier, else the characters themselves. */
  readonly value: JsonValue;
  /** In code points. */
  readonly start: number;
}

const single = new Map<string, TokenType>([
  [".", "dot"],
  ["*", "star"],
  ["]", "rbracket"],
  [",", "comma"],
  [":", "colon"],
  ["@", "current"],
  ["(", "lparen"],
  [")", "rparen"],
  ["{", "lbrace"],
  ["}", "rbrace"],
]);

/** First character, then: what it is alone (undefined: nothing) and with which second character it is something else. */
const double = new Map<string, readonly [TokenType | undefined, ReadonlyMap<string, TokenType>]>([
  [
    "[",
    [
      "lbracket",
      new Map<string, TokenType>([
        ["]", "flatten"],
        ["?", "filter"],
      ]),
    ],
  ],
  ["|", ["pipe", new Map<string, TokenType>([["|", "or"]])]],
  ["&", ["expref", new Map<string, TokenType>([["&", "and"]])]],
  ["<", ["lt", new Map<string, TokenType>([["=", "lte"]])]],
  [">", ["gt", new Map<string, TokenType>([["=", "gte"]])]],
  ["!", ["not", new Map<string, TokenType>([["=", "ne"]])]],
  ["=", [undefined, new Map<string, TokenType>([["=", "eq"]])]],
]);

/** @throws JmespathError */
export function tokenize(expression: string): Token[] {
  if (expression === "") throw new JmespathError("Invalid JMESPath expression: cannot be empty.");
  const characters = [...expression];
  const tokens: Token[] = [];
  let at = 0;

  const bad = (message: string, start: number) =>
    new JmespathError(`Bad jmespath expression: ${message}:\n${expression}\n${" ".repeat(start)}^`);
  const takeWhile = (test: RegExp) => {
    let text = "";
    while (at < characters.length && test.test(characters[at] ?? "")) text += characters[at++];
    return text;
  };
  const takeQuoted = (quote: string) => {
    const start = at;
    let text = "";
    for (at += 1; at < characters.length; at += 1) {
      if (characters[at] === quote) {
        at += 1;
        return text;
      }
      if (characters[at] === "\\") text += characters[at++];
      text += characters[at] ?? "";
    }
    throw bad(`Unclosed ${quote} delimiter`, start);
  };

  while (at < characters.length) {
    const start = at;
    const char = characters[at] ?? "";
    const simple = single.get(char);
    const pair = double.get(char);
    if (/[A-Za-z_]/.test(char)) {
      tokens.push({ type: "unquoted_identifier", value: takeWhile(/[A-Za-z0-9_]/), start });
    } else if (simple !== undefined) {
      tokens.push({ type: simple, value: char, start });
      at += 1;
    } else if (/[ \t\n\r]/.test(char)) {
      at += 1;
    } else if (/[0-9]/.test(char)) {
      tokens.push({ type: "number", value: integer(takeWhile(/[0-9]/)), start });
    } else if (char === "-") {
      at += 1;
      const digits = takeWhile(/[0-9]/);
      if (digits === "") throw bad("Unknown token '-'", start);
      tokens.push({ type: "number", value: integer(`-${digits}`), start });
    } else if (pair !== undefined) {
      const longer = pair[1].get(characters[at + 1] ?? "");
      const type = longer ?? pair[0];
      if (type === undefined) throw bad("Unknown token '='", start);
      at += longer === undefined ? 1 : 2;
      tokens.push({ type, value: characters.slice(start, at).join(""), start });
    } else if (char === "'") {
      tokens.push({ type: "literal", value: takeQuoted("'").replaceAll("\\'", "'"), start });
    } else if (char === '"') {
      const quoted = `"${takeQuoted('"')}"`;
      tokens.push({ type: "quoted_identifier", value: unquote(quoted, (message) => bad(message, start)), start });
    } else if (char === "`") {
      tokens.push({ type: "literal", value: literal(takeQuoted("`"), (message) => bad(message, start)), start });
    } else {
      throw bad(`Unknown token ${char}`, start);
    }
  }
  tokens.push({ type: "eof", value: "", start: characters.length });
  return tokens;
}

function unquote(quoted: string, bad: (message: string) => JmespathError): JsonValue {
  try {
    return parseJson(quoted);
  } catch (error) {
    throw bad(error instanceof Error ? error.message.replace(/: line \d+ column \d+ \(char \d+\)$/, "") : String(error));
  }
}

/** JSON between back ticks; a bare word is a text, as old expressions write it. */
function literal(text: string, bad: (message: string) => JmespathError): JsonValue {
  const lexeme = text.replaceAll("\\`", "`");
  try {
    return parseJson(lexeme);
  } catch {
    try {
      return parseJson(`"${lexeme.replace(/^\s+/, "")}"`);
    } catch {
      throw bad(`Bad token ${lexeme.replace(/^\s+/, "")}`);
    }
  }
}
