import { JmespathError } from "../../criteria/jmespath/error.ts";
import { parseJmespath } from "../../criteria/jmespath/parser.ts";
import { PythonError, PythonRegexError } from "../../python/python-error.ts";
import { checkPythonRegex } from "../../python/regex-check.ts";

/** Rows of a dataset share most expressions. What a row fills in does not add up for ever. */
const maxKept = 10_000;

/** Why an expression is none, or undefined. Each is read once however many tasks have it. */
class Faults {
  readonly #kept = new Map<string, string | undefined>();

  of(key: string, find: () => string | undefined): string | undefined {
    if (this.#kept.has(key)) return this.#kept.get(key);
    const fault = find();
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(key, fault);
    return fault;
  }
}

const regexFaults = new Faults();
const jmespathFaults = new Faults();

/** Python's message about a pattern that `re.compile(pattern, flags)` refuses; undefined for one that it takes. */
export function regexFault(pattern: string, flags: number): string | undefined {
  return regexFaults.of(`${flags} ${pattern}`, () =>
    faultOf(() => checkPythonRegex(pattern, flags), [PythonRegexError, PythonError, RangeError]),
  );
}

/** What is wrong with a JMESPath expression; undefined for a good one. */
export function jmespathFault(expression: string): string | undefined {
  return jmespathFaults.of(expression, () => inOneLine(faultOf(() => parseJmespath(expression), [JmespathError, RangeError])));
}

/** A stack overflow comes from an expression that is nested beyond reason. */
function faultOf(read: () => unknown, kinds: readonly (abstract new (...args: never) => Error)[]): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !kinds.some((kind) => error instanceof kind)) throw error;
    return error instanceof RangeError ? "it is nested too deeply" : error.message;
  }
}

/** Its own messages show the expression with a pointer, over several lines. */
function inOneLine(fault: string | undefined): string | undefined {
  const [first = ""] = fault?.split("\n") ?? [];
  return fault === undefined ? undefined : first.replace(/^Invalid jmespath expression: /, "").replace(/(?:, for expression)?:$/, "");
}
