// How the Actions runner finds commands in a line of output (actions/runner, ActionCommand.cs and OutputManager.cs),
// as an oracle. Its searches compare by culture: characters without weight are skipped, so they are dropped first.
// Any name counts as registered, so that the oracle is stricter than the runner.

const weightless = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t-\r\u{85}])\p{Cc}/gu;

function parsesAsColonCommand(line: string): boolean {
  return /^[\s\u0085]*::[^\n]*?::/u.test(line);
}

function parsesAsBracketCommand(line: string): boolean {
  const start = line.indexOf("##[");
  return start >= 0 && line.indexOf("]", start) >= 0;
}

/** Whether the runner would read some line of this output as a command. */
export function holdsCommand(output: string): boolean {
  return output.split(/\r\n|\r|\n/).some((raw) => {
    const lines = [raw, raw.replace(weightless, "")];
    return lines.some((line) => parsesAsColonCommand(line) || parsesAsBracketCommand(line));
  });
}
