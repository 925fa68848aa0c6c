// Inputs that hold a list: `tasks`, `tags`, the PATH=VALUE lines of `set`, the NAME=COMMAND lines of `env-probe`, and
// the NAME=VALUE lines of `env`.

/** Entries of a list separated by line ends or commas; a comma within braces (`{a,b}.yaml`) separates nothing. */
export function parseList(text: string): string[] {
  const entries: string[] = [];
  let entry = "";
  let depth = 0;
  for (const character of text) {
    if (character === "\n" || character === "\r" || (character === "," && depth === 0)) {
      entries.push(entry);
      entry = "";
      // A brace that is not closed on its line is an ordinary character; it must not swallow the rest of the list.
      depth = 0;
      continue;
    }
    if (character === "{") depth += 1;
    if (character === "}") depth = Math.max(0, depth - 1);
    entry += character;
  }
  entries.push(entry);
  return entries.map((item) => item.trim()).filter((item) => item !== "");
}

/** Entries of `set` or `env-probe`, one a line: a value may hold commas. A line that begins with `#` is a comment. */
export function parseSetLines(text: string): string[] {
  return text
    .split(/\r\n|[\n\r]/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

export interface EnvLines {
  readonly variables: Readonly<Record<string, string>>;
  /** Positions and reasons; never a name or a value: what stands at a wrong place may be a piece of a secret. */
  readonly problems: readonly string[];
  /** Every text that may be secret, those of broken lines included. */
  readonly secrets: readonly string[];
}

const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** Change what a program loads or runs before its first line, or are the runner's own. */
const refusedName =
  /^(?:PATH|BASH_ENV|ENV|IFS|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PERL5OPT|PERL5LIB|RUBYOPT|JAVA_TOOL_OPTIONS|GIT_SSH_COMMAND|GIT_EXEC_PATH|(?:LD|DYLD|ACTIONS|INPUT|RUNNER|STATE|BASH_FUNC)_.*|GITHUB_(?:TOKEN|ENV|PATH|OUTPUT|STATE|STEP_SUMMARY)|GH_TOKEN)$/i;

/**
 * Variables for the tasks, one `NAME=VALUE` a line; a value of several lines as in GITHUB_ENV: `NAME<<END`, its lines,
 * `END`. A line without a name is refused and never taken for a part of the value before it: it is how a secret of
 * several lines would turn into variables that nobody meant.
 */
export function parseEnvLines(text: string): EnvLines {
  const lines = text.split(/\r\n|[\n\r]/);
  const variables = new Map<string, string>();
  const problems: string[] = [];
  const secrets: string[] = [];

  const add = (name: string, value: string, line: number): void => {
    secrets.push(value);
    if (!variableName.test(name)) problems.push(`line ${line} has no valid name before its "="`);
    else if (refusedName.test(name))
      problems.push(`line ${line} sets a variable that tasks must not get this way (PATH, loader or runner variable)`);
    else if (variables.has(name)) problems.push(`line ${line} sets a variable a second time`);
    else if (value.includes("\0")) problems.push(`line ${line} has a NUL character in its value`);
    else variables.set(name, value);
  };

  for (let index = 0; index < lines.length; index += 1) {
    const line = (lines[index] ?? "").trimStart();
    const number = index + 1;
    if (line === "") continue;
    const many = /^([A-Za-z_][A-Za-z0-9_]*)<<(\S+)\s*$/.exec(line);
    if (many !== null) {
      const [, name = "", end = ""] = many;
      const stop = lines.findIndex((candidate, at) => at > index && candidate.trim() === end);
      if (stop < 0) {
        problems.push(`line ${number} starts a value of several lines that is never ended`);
        secrets.push(...lines.slice(index + 1));
        break;
      }
      add(name, lines.slice(index + 1, stop).join("\n"), number);
      index = stop;
      continue;
    }
    const equals = line.indexOf("=");
    if (equals < 0) {
      problems.push(`line ${number} is not NAME=VALUE (a value of several lines is written NAME<<END, its lines, END)`);
      secrets.push(line);
    } else add(line.slice(0, equals).trimEnd(), line.slice(equals + 1), number);
    // What stands before the "=" of a wrong line may be secret too.
    if (equals > 0 && !variableName.test(line.slice(0, equals).trimEnd())) secrets.push(line);
  }
  return { variables: Object.fromEntries(variables), problems, secrets: secrets.filter((secret) => secret.trim() !== "") };
}
