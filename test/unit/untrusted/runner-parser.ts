// How the Actions runner finds commands in a line of output (actions/runner, ActionCommand.cs and OutputManager.cs),
// as an oracle. Its searches compare by culture: characters without weight are skipped, so they are dropped first.
// Any name counts as registered, so that the oracle is stricter than the runner.

const weightless = /[\p{Cf}\p{Default_Ignorable_Code_Point}]|(?![\t-\r\u{85}])\p{Cc}/gu;

function parsesAsColonCommand(line: string): boolean {
  return /^[\s\u0085]*::[^\n]*?::/u.test(line);
}

/** A command as the runner reads it from a line. */
export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

const decodeData = (text: string): string => text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%25", "%");
const decodeProperty = (text: string): string =>
  text.replaceAll("%0D", "\r").replaceAll("%0A", "\n").replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");

/** The command of a line that starts with one (ActionCommand.TryParseV2). */
export function colonCommandOf(line: string): RunnerCommand | undefined {
  const [, info, data = ""] = /^[\s\u0085]*::([^\n]*?)::([\s\S]*)$/u.exec(line) ?? [];
  if (info === undefined) return undefined;
  const space = info.indexOf(" ");
  const pairs =
    space < 0
      ? []
      : info
          .slice(space + 1)
          .trim()
          .split(",");
  const properties = pairs.flatMap((pair): [string, string][] => {
    const equals = pair.indexOf("=");
    return equals < 0 ? [] : [[pair.slice(0, equals), decodeProperty(pair.slice(equals + 1))]];
  });
  return { name: space < 0 ? info : info.slice(0, space), properties: Object.fromEntries(properties), data: decodeData(data) };
}

function parsesAsBracketCommand(line: string): boolean {
  const start = line.indexOf("##[");
  return start >= 0 && line.indexOf("]", start) >= 0;
}

/** Lines as the runner splits a stream (.NET ReadLine). */
export function linesOf(output: string): string[] {
  return output.split(/\r\n|\r|\n/);
}

/** Whether the runner would read some line of this output as a command. */
export function holdsCommand(output: string): boolean {
  return linesOf(output).some((raw) => {
    // Most lines are plain, and the test for that is quick.
    const lines = /^[\t -~]*$/.test(raw) ? [raw] : [raw, raw.replace(weightless, "")];
    return lines.some((line) => parsesAsColonCommand(line) || parsesAsBracketCommand(line));
  });
}
