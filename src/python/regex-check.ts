import { compileTree } from "./regex-compiler.ts";
import { parsePattern } from "./regex-parser.ts";

/** All that compiling can still refuse in a pattern that was read is what stands in a look-behind. */
const lookBehind = /\(\?<[=!]/;

/**
 * Whether Python's `re.compile(pattern, flags)` takes a pattern, without the work of making a program for it: for plans, which
 * look at thousands of patterns and search with none.
 * @throws what `compilePythonRegex` throws
 */
export function checkPythonRegex(pattern: string, flags: number): void {
  const tree = parsePattern(pattern, flags);
  if (lookBehind.test(pattern)) compileTree(tree);
}
