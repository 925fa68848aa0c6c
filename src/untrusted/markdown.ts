// The only way foreign text enters Markdown that GitHub renders. A `SafeMarkdown` is made here and nowhere else, and
// `md` takes nothing else, so that a forgotten escape does not compile.
//
// GitHub reads twice: first Markdown, then filters over the rendered text that make links of @names, #1, GH-1, commit
// ids and :emoji:. Character references stop only the first (the filters see them decoded), so what Markdown looks for
// becomes a reference, and what the filters look for is broken by a zero-width space. References, not backslashes: they
// mean the same inside a block of HTML such as <details>.

import { splitLines, visibleText } from "./characters.ts";
import { cutAtLine } from "./markdown-cut.ts";

declare const safe: unique symbol;
/** Markdown that holds no live foreign text. */
export type SafeMarkdown = string & { readonly [safe]: true };

function vouch(_text: string): asserts _text is SafeMarkdown {}
function trusted(text: string): SafeMarkdown {
  vouch(text);
  return text;
}

const zeroWidthSpace = "\u200b";

/** Places where GitHub's filters, cut here, find nothing any more; at the end of a text too, for what may follow it. */
const liveReferences: readonly RegExp[] = [
  /(?<=@)(?=[\p{L}\p{N}_.-]|$)/gu, // @user, @org/team, mail addresses: notify strangers
  /(?<=#)(?=\d|$)/gu, // #123, owner/repo#123: a back link in that issue
  /(?<=(?<![\p{L}\p{N}])GH(?:SA)?-)(?=[\da-z])/giu, // GH-1, GHSA-…; an underscore before them is no letter to GitHub
  /(?<=:)(?=\/\/)/gu, // https://…
  /(?<=(?<![\p{L}\p{N}])www)(?=\.)/giu,
  /(?<=:)(?=[\w+-]+:)/gu, // :white_check_mark: as a forged verdict
];
const commitId = /(?<![\p{L}\p{N}])[\da-f]{7,}(?![\p{L}\p{N}])/giu;

/** What every one of the above needs somewhere: most texts have nothing of it. */
const mayBeLive = /[@#:]|gh|www|[\da-f]{7}/iu;

function breakReferences(text: string): string {
  if (!mayBeLive.test(text)) return text;
  let broken = text.replace(commitId, (id) => (id.match(/.{1,6}/gu) ?? []).join(zeroWidthSpace));
  for (const place of liveReferences) broken = broken.replace(place, zeroWidthSpace);
  return broken;
}

const reference = (character: string): string => `&#${character.charCodeAt(0)};`;
/** `$` starts mathematics, which could paint a green PASSED; a span around it is the escape that GitHub documents. */
const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", $: "<span>$</span>" };

/** `_` within a word stays: it never emphasises there, and task ids are full of it. */
const markup = /[&<>"$\\`*[\]|~]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu;
/** What at the start of a line makes a list, heading, rule or the underline of a heading. */
const blockStart = /^[+-](?=\s|$)|^-(?=[-\s]*$)|^#(?=#{0,5}(?:\s|$))|^=(?==*$)|(?<=^\d{1,9})[.)](?=\s|$)/u;

function escapeLine(line: string): string {
  const escaped = breakReferences(line).replace(markup, (found) => named[found] ?? reference(found));
  return escaped.replace(blockStart, reference);
}

/** Printable ASCII with single blanks within: nothing to clean. */
const plainLine = /^[!-~]+(?: [!-~]+)*$/;

/** Cleaned and cut, before any escape: a cut after it could split one. Reads no more than it needs of a huge text. */
function shorten(foreign: string, maxChars: number, lineEnd: string): string {
  if (foreign.length <= maxChars && plainLine.test(foreign)) return foreign;
  const enough = maxChars * 8 + 256;
  const text = splitLines(visibleText(foreign.slice(0, enough)))
    .map((line) => line.replace(/\s+/gu, " ").trim())
    .filter((line) => line !== "")
    .join(lineEnd);
  const characters = Array.from(text);
  if (characters.length <= maxChars && foreign.length <= enough) return text;
  const kept = characters.slice(0, Math.max(0, maxChars - 1)).join("");
  return `${kept.trimEnd()}…`;
}

/** Foreign text within a line: one line, at most `maxChars` code points before escaping. Safe in text, table cells and HTML. */
export function inlineText(foreign: string, maxChars: number): SafeMarkdown {
  return trusted(escapeLine(shorten(foreign, maxChars, " ")));
}

/** Foreign text as a table cell: as `inlineText`, but its line ends become `<br>`. */
export function tableCell(foreign: string, maxChars: number): SafeMarkdown {
  return trusted(shorten(foreign, maxChars, "\n").split("\n").map(escapeLine).join("<br>"));
}

/** Foreign text in a fixed-width font within a line: names, paths, ids. Empty for an empty text. */
export function inlineCode(foreign: string, maxChars: number): SafeMarkdown {
  const text = escapeLine(shorten(foreign, maxChars, " "));
  return trusted(text === "" ? "" : `<code>${text}</code>`);
}

/** Longest run of characters in a cell that a narrow screen can show beside other cells. */
const unbroken = 14;
/** Markup of ours, a reference, or a character with its marks. */
const token = /<[^>]*>|&[#\w]+;|[\s\S]\p{M}*/gu;

/**
 * As `inlineCode`, for the cell of a table: it may break behind the separators of paths and names, and within long runs. A `<wbr>` is no
 * character: what is copied from it is as it was.
 */
export function breakableCode(foreign: string, maxChars: number): SafeMarkdown {
  let run = 0;
  const text = escapeLine(shorten(foreign, maxChars, " ")).replace(token, (piece, at: number, whole: string) => {
    run = piece === " " ? 0 : run + 1;
    if (run < unbroken && !/^[/._:=,-]$/.test(piece)) return piece;
    run = 0;
    return at + piece.length === whole.length || whole[at + piece.length] === " " ? piece : `${piece}<wbr>`;
  });
  return trusted(text === "" ? "" : `<code>${text}</code>`);
}

/**
 * Foreign text as a block: at most `maxBytes` (UTF-8) of it from its start or, for logs, its end; in whole lines where
 * possible, with a note of what was left out. Brings blank lines of its own, so that it is a block wherever it is put.
 */
export function codeBlock(foreign: string, maxBytes: number, keep: "start" | "end" = "start"): SafeMarkdown {
  const enough = maxBytes * 4 + 256;
  const part = keep === "start" ? foreign.slice(0, enough) : foreign.slice(-enough);
  // Nothing is live in a fence; `<!--` is broken all the same, so that no body ever holds a second marker of ours.
  const text = splitLines(visibleText(part).replaceAll("<!--", `<${zeroWidthSpace}!--`))
    .join("\n")
    .trimEnd();
  const kept = cutBytes(text, maxBytes, keep);
  const longestRun = Math.max(2, ...Array.from(kept.matchAll(/`+/gu), (run) => run[0].length));
  const fence = "`".repeat(longestRun + 1);
  if (kept === text && part === foreign) return trusted(`\n\n${fence}\n${kept}\n${fence}\n`);
  const left = `… ${Math.max(0, Buffer.byteLength(foreign) - Buffer.byteLength(kept))} bytes left out`;
  return trusted(`\n\n${fence}\n${keep === "start" ? `${kept}\n${left}` : `${left}\n${kept}`}\n${fence}\n`);
}

function cutBytes(text: string, maxBytes: number, keep: "start" | "end"): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  if (keep === "start") {
    // A streaming decoder holds back a character that the cut went through.
    const head = new TextDecoder().decode(bytes.subarray(0, maxBytes), { stream: true });
    const end = head.lastIndexOf("\n");
    return end > head.length / 2 ? head.slice(0, end) : head;
  }
  const tail = bytes.subarray(bytes.length - maxBytes);
  const boundary = tail.findIndex((byte) => (byte & 0xc0) !== 0x80);
  const whole = boundary < 0 ? "" : tail.subarray(boundary).toString();
  const start = whole.indexOf("\n");
  return start >= 0 && start < whole.length / 2 ? whole.slice(start + 1) : whole;
}

/** Markdown written by us, with safe pieces in it. A plain string does not compile. */
export function md(text: TemplateStringsArray, ...values: readonly (SafeMarkdown | number)[]): SafeMarkdown {
  let joined = text[0] ?? "";
  for (let i = 0; i < values.length; i += 1) joined += `${values[i] ?? ""}${text[i + 1] ?? ""}`;
  return trusted(joined);
}

/** Joins safe pieces, by a line end unless another separator is given. */
export function joinMarkdown(parts: Iterable<SafeMarkdown>, separator: SafeMarkdown = md`\n`): SafeMarkdown {
  return trusted([...parts].join(separator));
}

/** A link to an address of ours (never a foreign one); just the text when it is no http(s) address. */
export function linkTo(text: SafeMarkdown, address: string): SafeMarkdown {
  if (!URL.canParse(address) || !/^https?:$/u.test(new URL(address).protocol)) return text;
  const target = new URL(address).href.replace(/[()<>\\"'`*_[\]|~$]/gu, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
  return trusted(`[${text}](${target})`);
}

/** A folded section. */
export function details(summary: SafeMarkdown, body: SafeMarkdown): SafeMarkdown {
  return trusted(`<details><summary>${summary}</summary>\n\n${body}\n\n</details>\n`);
}

/** The first lines, at most `maxBytes` (UTF-8); fences and folded sections that are open at the cut are closed. */
export function cutMarkdown(markdown: SafeMarkdown, maxBytes: number): SafeMarkdown {
  return trusted(cutAtLine(markdown, maxBytes));
}
