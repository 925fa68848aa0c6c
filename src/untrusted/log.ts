// The only way foreign text enters the job log. The Actions runner reads every line of both streams for commands: one
// that starts with `::name …::` after white space, or has `##[name …]` anywhere (actions/runner, ActionCommand.cs). A
// command could mask common words, forge annotations, or switch off our own masks.
//
// The runner compares by culture, which skips zero-width characters on both sides: `##<U+200B>[` still matches its
// search. So hidden characters are removed first, and what is left is broken by a character that shows.

import { splitLines, visibleText } from "./characters.ts";

/** Combining marks between the characters are not skipped by the runner's search today; that is not relied on. */
const bracketCommand = /#(\p{M}*)#(\p{M}*)\[/gu;
const colonCommand = /^([\s\p{M}]*):(\p{M}*):/u;

function disarm(line: string): string {
  return line.replace(colonCommand, "$1:$2 :").replace(bracketCommand, "#$1#$2 [");
}

/**
 * Foreign text as lines for a log: split where the runner splits, cleaned of controls and terminal escapes, each piece
 * behind `prefix` (`| ` when that is blank), none of them a workflow command. The prefix may hold foreign text itself.
 */
export function logLines(foreign: string, prefix: string): string[] {
  const cleanPrefix = splitLines(visibleText(prefix)).join(" ");
  const visiblePrefix = cleanPrefix.trim() === "" ? "| " : cleanPrefix;
  const pieces = splitLines(visibleText(foreign));
  if (pieces.at(-1) === "") pieces.pop();
  return pieces.map((piece) => disarm(`${visiblePrefix}${disarm(piece)}`));
}

/**
 * Foreign text as the text of a command of ours (an annotation's message), at most `maxChars` UTF-16 units. The runner
 * shows it in the log line by line, so that none of its lines may look like a command either.
 */
export function commandText(foreign: string, maxChars: number): string {
  return cut(
    splitLines(visibleText(foreign.slice(0, maxChars * 4)))
      .map(disarm)
      .join("\n"),
    maxChars,
  );
}

/** As `commandText`, on one line: the title of a group or of an annotation. */
export function commandTitle(foreign: string, maxChars: number): string {
  const line = splitLines(visibleText(foreign.slice(0, maxChars * 4)))
    .join(" ")
    .replaceAll("\t", " ");
  return cut(disarm(line.trim()), maxChars);
}

/** Never through a character. */
function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
