import { type Document, isMap, isScalar, isSeq, visit } from "yaml";

// PyYAML lets quoted text and flow collections ([…], {…}) run on at any indentation; the parser underneath wants them
// indented. White space at the start of such a line means nothing, so adding some keeps the meaning.

/** A text with blanks put in, and the way back to the offsets of the original. */
export interface Reindented {
  readonly text: string;
  readonly originalOffset: (offset: number) => number;
}

interface Insertion {
  /** Offset in the text before the insertion. */
  readonly at: number;
  readonly blanks: number;
}

/** Gives the text with the first construct indented that made the parser fail, or `undefined` if that is not the reason. */
export function reindentFirstFailure(text: string, documents: readonly Document[]): Reindented | undefined {
  const failed = documents.find((document) => document.errors.length > 0);
  const offset = failed?.errors[0]?.pos[0];
  if (failed === undefined || offset === undefined) return undefined;
  const start = startOfCutConstruct(failed, offset);
  if (start === undefined) return undefined;
  const end = endOfConstruct(text, start);
  if (end === undefined || end <= offset) return undefined;
  const inside = text.slice(start, end);
  if (/\n(?:---|\.\.\.)(?:\s|$)/.test(inside)) return undefined;
  const blanks = start - text.lastIndexOf("\n", start);
  const insertions: Insertion[] = [];
  for (let at = text.indexOf("\n", start); at !== -1 && at < end; at = text.indexOf("\n", at + 1)) insertions.push({ at: at + 1, blanks });
  if (insertions.length === 0) return undefined;
  const padding = " ".repeat(blanks);
  return {
    text: text.slice(0, start) + inside.replaceAll("\n", `\n${padding}`) + text.slice(end),
    originalOffset: (changed) => backTo(changed, insertions),
  };
}

function backTo(changed: number, insertions: readonly Insertion[]): number {
  let shift = 0;
  for (const { at, blanks } of insertions) {
    if (changed < at + shift) break;
    shift += Math.min(blanks, changed - at - shift);
  }
  return changed - shift;
}

/** The outermost quoted scalar or flow collection that the parser ended at `offset`. */
function startOfCutConstruct(document: Document, offset: number): number | undefined {
  let start: number | undefined;
  visit(document, {
    Node(_key, node) {
      const open = isScalar(node)
        ? node.type === "QUOTE_DOUBLE" || node.type === "QUOTE_SINGLE"
        : (isMap(node) || isSeq(node)) && node.flow === true;
      if (open && node.range && node.range[1] === offset && (start === undefined || node.range[0] < start)) start = node.range[0];
    },
  });
  return start;
}

/** Offset behind the closing quote or bracket of what begins at `start`. */
function endOfConstruct(text: string, start: number): number | undefined {
  const first = text[start];
  if (first === '"' || first === "'") return endOfQuoted(text, start);
  let depth = 0;
  // The last character that is neither white nor in a comment line: it tells whether a value may start.
  let before = ",";
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "[" || character === "{") depth += 1;
    else if (character === "]" || character === "}") depth -= 1;
    else if (character === "#" && /[\s,[\]{}"']/.test(text[at - 1] ?? "")) {
      if (isOwnLine(text, at)) before = ",";
      at = lineEnd(text, at);
      continue;
    }
    // A quote inside a plain scalar (`it's`) is a letter; one where a value starts opens quoted text.
    else if ((character === '"' || character === "'") && /[[{,:?\s]/.test(text[at - 1] ?? "") && /[[{,:?]/.test(before)) {
      const end = endOfQuoted(text, at);
      if (end === undefined) return undefined;
      at = end - 1;
    }
    if (depth === 0) return at + 1;
    if (!/\s/.test(character)) before = character;
  }
  return undefined;
}

/** Whether only blanks are before it on its line. */
function isOwnLine(text: string, at: number): boolean {
  let start = at;
  while (text[start - 1] === " ") start -= 1;
  return text[start - 1] === "\n";
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end === -1 ? text.length : end;
}

function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start];
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at];
    if (quote === '"' && character === "\\") at += 1;
    else if (character === quote) {
      if (quote === '"' || text[at + 1] !== "'") return at + 1;
      at += 1;
    }
  }
  return undefined;
}
