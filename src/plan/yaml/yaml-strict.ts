import { type Document, isScalar, visit, type YAMLParseError } from "yaml";
import { quote } from "../found-text.ts";
import type { YamlFault } from "./yaml-kinds.ts";

// What PyYAML refuses and the parser underneath takes.

const controlCharacter = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const lineSeparator = /[\x85\u2028\u2029]/;

/** Faults that the characters alone show. */
export function textFaults(text: string): YamlFault[] {
  const control = controlCharacter.exec(text);
  if (control !== null)
    return [{ code: "yaml-character", offset: control.index, message: `the character ${codeOf(control[0])} is not allowed` }];
  const separator = lineSeparator.exec(text);
  if (separator !== null) {
    return [
      {
        code: "yaml-character",
        offset: separator.index,
        message: `the line separator ${codeOf(separator[0])} would end the line`,
        hint: `write a plain line break, or "\\${separator[0] === "\x85" ? "N" : separator[0] === "\u2028" ? "L" : "P"}" in double quotes`,
      },
    ];
  }
  return versionFaults(text);
}

/** Lines before the first document: comments, directives and empty ones. Gives the first line that is none of these too. */
function* headLines(text: string): Generator<{ readonly line: string; readonly offset: number }> {
  for (let offset = 0; offset < text.length; ) {
    const newline = text.indexOf("\n", offset);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(offset, end);
    yield { line, offset };
    if (!/^(?:#|%|[ \t]*(?:#|$))/.test(line)) return;
    offset = end + 1;
  }
}

function versionFaults(text: string): YamlFault[] {
  if (!text.includes("%YAML")) return [];
  for (const { line, offset } of headLines(text)) {
    const version = /^%YAML[ \t]+([0-9]+)/.exec(line)?.[1];
    if (version !== undefined && version !== "1")
      return [{ code: "yaml-version", offset, message: `YAML version ${quote(version)} is unknown; 1.1 is read` }];
  }
  return [];
}

/** Whether `...` stands where only a document may begin. */
function endsBeforeItBegins(text: string): boolean {
  for (const { line } of headLines(text)) if (/^\.\.\.(?:\s|$)/.test(line)) return true;
  return false;
}

function codeOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** More than this many at once help nobody, and finding the place of each costs a walk. */
const maxFaults = 20;

/** Faults of the parsed documents, the first 20. */
export function treeFaults(text: string, documents: readonly Document[]): YamlFault[] {
  const faults: YamlFault[] = [];
  for (const document of documents) {
    for (const error of document.errors.slice(0, maxFaults)) {
      faults.push(faultOf(document, error));
      // The parser has lost its way: what it finds from here on comes of that.
      if (error.code === "UNEXPECTED_TOKEN") break;
    }
  }
  // The parser goes on behind the end of its stack; what it finds there is no news.
  const tooDeep = faults.find(({ code }) => code === "yaml-depth");
  if (tooDeep !== undefined) return [tooDeep];
  if (faults.length === 0 && endsBeforeItBegins(text))
    faults.push({ code: "yaml-syntax", offset: 0, message: "the document ends before it begins" });
  const second = documents[1];
  if (faults.length === 0 && second !== undefined) {
    faults.push({
      code: "yaml-documents",
      offset: second.range?.[0] ?? 0,
      message: "a second document begins here; a task file holds one",
    });
  }
  if (faults.length === 0 && text.includes("\t")) faults.push(...tabFaults(text, documents));
  return faults.slice(0, maxFaults);
}

function faultOf(document: Document, error: YAMLParseError): YamlFault {
  const offset = error.pos[0];
  if (error.code === "TAB_AS_INDENT") return tabFault(offset);
  // The parser recurses, and reports the end of its stack as an error of the file.
  if (/call stack/i.test(error.message)) return { code: "yaml-depth", offset, message: "the file is nested too deeply" };
  return openQuote(document, error) ?? { code: "yaml-syntax", offset, message: lowerFirst(error.message) };
}

function tabFault(offset: number): YamlFault {
  return { code: "yaml-tab", offset, message: "a tab is not allowed here", hint: "indent and separate with spaces" };
}

/** A quote that is never closed: the place to look at is where it opens, not where the file ends. */
function openQuote(document: Document, error: YAMLParseError): YamlFault | undefined {
  if (!error.message.startsWith("Missing closing")) return undefined;
  let start: number | undefined;
  visit(document, {
    Scalar(_key, node) {
      if (node.type?.startsWith("QUOTE") === true && node.range?.[1] === error.pos[0]) start = node.range[0];
    },
  });
  return start === undefined ? undefined : { code: "yaml-syntax", offset: start, message: "the quote that opens here is never closed" };
}

function lowerFirst(message: string): string {
  const first = message.split("\n")[0] ?? "";
  return first.charAt(0).toLowerCase() + first.slice(1);
}

/** To PyYAML a tab is no white space: it may stand in quotes, in block text and in comments only. */
function tabFaults(text: string, documents: readonly Document[]): YamlFault[] {
  const ranges: [number, number][] = [];
  for (const document of documents) {
    visit(document, {
      Scalar(_key, node) {
        if (isScalar(node) && node.type !== "PLAIN" && node.range) ranges.push(textRange(text, node.range));
      },
    });
  }
  ranges.sort((a, b) => a[0] - b[0]);
  let from = 0;
  for (const [start, end] of [...ranges, [text.length, text.length] as const]) {
    const offset = tabOutsideComment(text, from, start);
    if (offset !== undefined) return [tabFault(offset)];
    from = Math.max(from, end);
  }
  return [];
}

/** Block text starts after its header line: a tab in the header is as wrong as anywhere. */
function textRange(text: string, range: readonly [number, number, number]): [number, number] {
  const block = text[range[0]] === "|" || text[range[0]] === ">";
  const lineEnd = text.indexOf("\n", range[0]);
  return block && lineEnd !== -1 ? [lineEnd, range[1]] : [range[0], range[1]];
}

function tabOutsideComment(text: string, from: number, to: number): number | undefined {
  for (let at = from; at < to; at += 1) {
    const character = text[at];
    if (character === "\t") return at;
    if (character !== "#" || (at > 0 && !/\s/.test(text[at - 1] ?? ""))) continue;
    const lineEnd = text.indexOf("\n", at);
    if (lineEnd === -1) return undefined;
    at = lineEnd;
  }
  return undefined;
}
