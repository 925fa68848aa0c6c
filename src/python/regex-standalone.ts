import { type PythonRegex, programOf } from "./regex.ts";
import { runProgram } from "./regex-machine.ts";
import { machineTools } from "./regex-machine-tools.ts";
import type { Program } from "./regex-program.ts";
import { searchText } from "./regex-search.ts";

/** Words of backtracking: half of what a search in a thread may have, as it is not given a second chance. */
const maxWords = 1 << 24;

/**
 * Whether the pattern is found, searched for here and now: for those who cannot wait. It can run away: call it below a time limit.
 * @throws RangeError when the pattern needs too much memory
 */
export function foundHere(regex: PythonRegex, text: string): boolean {
  return isFound(searchText(programOf(regex), text, maxWords, runProgram, machineTools));
}

/** What is found counts, an exhausted memory does not tell. Sent as source text as well. */
function isFound(result: ReturnType<typeof searchText>): boolean {
  if (result === "memory") throw new RangeError("the pattern needs too much memory");
  return result !== undefined;
}

/**
 * JavaScript source of an expression: an array of functions `(text) => boolean`, one per pattern, that need nothing but JavaScript's own
 * globals. For a program of ours that runs where these modules are not. They can run away, too.
 */
export function searchersSource(regexes: readonly PythonRegex[]): string {
  const tools = Object.entries(machineTools).map(([name, tool]) => `${name}: ${tool}`);
  return `(() => {
const tools = { ${tools.join(",\n")} };
const run = ${runProgram};
const search = ${searchText};
const isFound = ${isFound};
return [${regexes.map((regex) => programSource(programOf(regex))).join(",\n")}].map((program) => (text) => isFound(search(program, text, ${maxWords}, run, tools)));
})()`;
}

function programSource(program: Program): string {
  const words = (array: Int32Array): string => `new Int32Array(${JSON.stringify([...array])})`;
  const { code, classes, lower, ...numbers } = program;
  const arrays = [`code: ${words(code)}`, `classes: [${classes.map(words)}]`, `lower: [${lower.map(words)}]`];
  return `{ ${arrays.join(", ")}, ...${JSON.stringify(numbers)} }`;
}
