// Characters that change how the text around them is read or shown. One list for the log, Markdown and redaction.

const esc = "\\u001b";
const bell = "\\u0007";
/** DCS, SOS, OSC, PM and APC as single C1 characters. */
const stringStart = "\\u0090\\u0098\\u009d-\\u009f";

/**
 * Terminal escape sequences. A string sequence (OSC: titles, links) must end on its line: one that does not would take
 * the rest of the text with it, and so hide it.
 */
const escapeSequence = new RegExp(
  [
    `(?:${esc}\\[|\\u009b)[0-?]*[ -/]*[@-~]`,
    `(?:${esc}[\\]PX^_]|[${stringStart}])[^\\n\\r${bell}${esc}\\u009c${stringStart}]*(?:${bell}|${esc}\\\\|\\u009c)`,
    `${esc}[ -/]*[0-~]?`,
  ].join("|"),
  "gu",
);

/** Everything invisible: C0 and C1 controls but tab and line ends, bidi controls, zero-width, fillers, tag characters. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]|(?![\t\n\r\u{85}])\p{Cc}/gu;

/** More than four combining marks on one letter paint over the lines around it. */
const markPile = /(\p{M}{4})\p{M}+/gu;

/**
 * Gives the text as a reader of plain text would see it: no terminal escape, no control but tab and line ends, no
 * invisible character (they reorder, hide or smuggle text), no lone surrogate.
 */
export function visibleText(foreign: string): string {
  return foreign.replace(escapeSequence, "").toWellFormed().replace(invisible, "").replace(markPile, "$1");
}

/** Splits at every end of line that the Actions runner, Markdown or a terminal knows. */
export function splitLines(text: string): string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029]/u);
}
