/**
 * A shell command as its words are, however they are written: continued lines are one, blanks between words are one space, and quotes and
 * escapes are gone (`"uip"  ixp \⏎ list` becomes `uip ixp list`). Blanks inside of quotes and line ends between commands stay. An open
 * quote reaches to the end.
 */
export function normaliseShell(command: string): string {
  let out = "";
  let quote = "";
  for (let at = 0; at < command.length; at += 1) {
    const character = command.charAt(at);
    const next = command.charAt(at + 1);
    if (quote === "'") {
      if (character === "'") quote = "";
      else out += character;
    } else if (character === "\\" && next !== "" && (quote === "" || '"\\$`\n'.includes(next))) {
      // A line end is the only character that an escape takes away.
      if (next !== "\n") out += next;
      at += 1;
    } else if (quote === '"') {
      if (character === '"') quote = "";
      else out += character;
    } else if (character === "'" || character === '"') {
      quote = character;
    } else if (character === " " || character === "\t") {
      if (out !== "" && !/[ \n]$/.test(out)) out += " ";
    } else {
      out += character;
    }
  }
  return out;
}
