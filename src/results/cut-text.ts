// Parts of texts that are too long to be shown whole.

/** At most `max` characters, with an ellipsis where something is missing; never half a surrogate pair. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`.toWellFormed().replace("\ufffd…", "…");
}

/** The end of a text, at most `max` characters, from the start of a line where there is one. */
export function lastLines(text: string, max: number): string {
  const trimmed = text.trimEnd();
  if (trimmed.length <= max) return trimmed;
  const tail = trimmed.slice(-max);
  if (trimmed.at(-max - 1) === "\n") return tail;
  const newline = tail.indexOf("\n");
  return newline === -1 || newline > max / 2 ? tail.toWellFormed() : tail.slice(newline + 1);
}

/** Start and end of a text of several lines, at most `max` characters: a command tells at its end what went wrong. */
export function startAndEnd(text: string, max: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= max) return trimmed;
  if (!trimmed.includes("\n")) return cut(trimmed, max);
  const room = Math.floor(max / 3);
  const newline = trimmed.lastIndexOf("\n", room);
  const head = newline > 0 ? trimmed.slice(0, newline) : cut(trimmed, room);
  return `${head}\n…\n${lastLines(trimmed, max - head.length - 3)}`;
}
