import type { RegExpEngine, RegExpLike } from "ajv/dist/types/index.js";
import { RegexTimeoutError } from "../../python/python-error.ts";
import { compileTree } from "../../python/regex-compiler.ts";
import { runProgram } from "../../python/regex-machine.ts";
import { machineTools } from "../../python/regex-machine-tools.ts";
import { parsePattern } from "../../python/regex-parser.ts";
import { searchText } from "../../python/regex-search.ts";

/** Words of backtracking per search: 64 MB. */
const maxWords = 1 << 24;

/**
 * `re.search` for the patterns of a schema: Python's meaning, and without a thread, as Ajv can not wait. The time limit is the one that
 * the whole validation runs under.
 */
function pythonPattern(pattern: string): RegExpLike {
  const program = compileTree(parsePattern(pattern, 0));
  const test = (text: string) => {
    const found = searchText(program, text, maxWords, runProgram, machineTools);
    if (found === "memory") throw new RegexTimeoutError(pattern, 0, "memory");
    return found !== undefined;
  };
  // Ajv tells patterns apart by their text.
  return Object.assign({ test }, { toString: () => pattern });
}

/** The part that lets Ajv write the engine into a file is never used. */
export const pythonPatternEngine: RegExpEngine = Object.assign((pattern: string) => pythonPattern(pattern), { code: "pythonPattern" });
