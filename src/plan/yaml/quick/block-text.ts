import { type Cursor, code, folded } from "./cursor.ts";

type Chomping = "clip" | "strip" | "keep";

/** Text after `|` or `>`, on which the cursor stands; afterwards it is on the next content. */
export function blockText(cursor: Cursor, indent: number): string {
  const { text } = cursor;
  const isFolded = text.charCodeAt(cursor.at) === code.greater;
  const chomping = header(cursor);
  const own = contentIndent(cursor, indent);
  const parts: string[] = ["\n".repeat(own.emptyLines)];
  let at = own.start;
  for (;;) {
    const end = text.indexOf("\n", at);
    // Without a last line break the ends of the two parsers differ.
    if (end === -1) cursor.decline();
    parts.push(text.slice(at + own.indent, end));
    const next = nextLine(cursor, end + 1, own.indent);
    if (next.at === undefined) {
      parts.push(chomping === "strip" ? "" : chomping === "clip" ? "\n" : "\n".repeat(next.emptyLines + 1));
      return parts.join("");
    }
    const joins = isFolded && !isWhite(text.charCodeAt(at + own.indent)) && !isWhite(text.charCodeAt(next.at + own.indent));
    parts.push(joins ? folded(next.emptyLines) : "\n".repeat(next.emptyLines + 1));
    at = next.at;
  }
}

function isWhite(character: number): boolean {
  return character === code.space || character === code.tab;
}

function header(cursor: Cursor): Chomping {
  const { text } = cursor;
  cursor.at += 1;
  const sign = text.charCodeAt(cursor.at);
  const chomping = sign === code.minus ? "strip" : sign === code.plus ? "keep" : "clip";
  if (chomping !== "clip") cursor.at += 1;
  cursor.skipSpaces();
  // An indentation in digits ends here too.
  if (!cursor.atLineEnd()) cursor.decline();
  const end = text.indexOf("\n", cursor.at);
  if (end === -1) cursor.decline();
  cursor.at = end + 1;
  return chomping;
}

interface Content {
  readonly indent: number;
  /** Start of the first line with content. */
  readonly start: number;
  readonly emptyLines: number;
}

function contentIndent(cursor: Cursor, parent: number): Content {
  const { text } = cursor;
  let emptyLines = 0;
  let widest = 0;
  for (let start = cursor.at; ; ) {
    let at = start;
    while (text.charCodeAt(at) === code.space) at += 1;
    const indent = at - start;
    if (text.charCodeAt(at) === code.newline) {
      widest = Math.max(widest, indent);
      emptyLines += 1;
      start = at + 1;
      continue;
    }
    if (at >= text.length || indent <= parent || indent < widest || text.charCodeAt(at) === code.tab) cursor.decline();
    return { indent, start, emptyLines };
  }
}

/** The next line that belongs to the text; otherwise the cursor goes to the content behind it. */
function nextLine(cursor: Cursor, from: number, indent: number): { readonly at: number | undefined; readonly emptyLines: number } {
  const { text } = cursor;
  let emptyLines = 0;
  for (let start = from; ; ) {
    let at = start;
    while (at - start < indent && text.charCodeAt(at) === code.space) at += 1;
    const next = text.charCodeAt(at);
    if (next === code.newline) {
      emptyLines += 1;
      start = at + 1;
      continue;
    }
    if (at - start === indent && at < text.length) return { at: start, emptyLines };
    // Blanks before the end of the text, or a tab as indentation.
    if ((at >= text.length && at > start) || next === code.tab) cursor.decline();
    cursor.at = start;
    cursor.nextContent();
    return { at: undefined, emptyLines };
  }
}
