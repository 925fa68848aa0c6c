/**
 * The words of a command line of a POSIX shell: plain, in single or double quotes, with backslashes. undefined where a quote stays open or
 * where something stands outside of quotes that is more than a word, e.g. `|`.
 */
export function shellWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  const token = /\s+|'(?<single>[^']*)'|"(?<double>(?:[^"\\]|\\[\s\S])*)"|\\(?<escaped>[\s\S])|(?<plain>[^\s'"\\|&;<>()$`]+)/gy;
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    token.lastIndex = at;
    const groups = token.exec(text)?.groups;
    if (groups === undefined) return undefined;
    at = token.lastIndex;
    const { single, double, escaped, plain } = groups;
    const piece = single ?? double?.replace(/\\([$`"\\\n])/g, (_, sign: string) => (sign === "\n" ? "" : sign)) ?? escaped ?? plain;
    if (piece === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + piece;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** The script of `sh -lc '<script>'`; any other command line as it is. */
export function unwrapShell(command: string): string {
  const words = shellWords(command);
  const [program, option, script] = words ?? [];
  if (words?.length !== 3 || program === undefined || script === undefined) return command;
  return /(?:^|\/)(?:ba|z|da)?sh$/.test(program) && (option === "-lc" || option === "-c") ? script : command;
}
