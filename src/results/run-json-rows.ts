import { parseJsonText } from "./json-text.ts";

export interface SplitRunJson {
  /** `run.json` without its rows. */
  readonly rest: unknown;
  /** The rows, parsed one at a time. */
  readonly rows: Iterable<unknown>;
}

const rowsStart = '\n  "task_results": [\n';
const rowsEnd = "\n  ]";
const rowEnd = "\n    }";

/**
 * Reads `run.json` without ever holding all of its rows: with hundreds of thousands of them it is far larger than what is wanted
 * of it. Works on files indented by two blanks, as coder_eval and we write them (a line end is never inside a JSON string, so the
 * indent tells the level); any other file is parsed as a whole.
 * @throws SyntaxError
 */
export function splitRunJson(text: string): SplitRunJson {
  const start = text.indexOf(rowsStart);
  const end = start === -1 ? -1 : text.indexOf(rowsEnd, start + rowsStart.length);
  if (start === -1 || end === -1) return whole(text);
  const from = start + rowsStart.length - 1;
  const list = text.slice(from, end);
  const rest = parseJsonText(`${text.slice(0, from)}${text.slice(end)}`).value;
  return { rest, rows: rowsOf(list) };
}

function* rowsOf(list: string): Generator<unknown> {
  let start = 0;
  while (start < list.length) {
    const end = list.indexOf(rowEnd, start);
    const stop = end === -1 ? list.length : end + rowEnd.length;
    const row = tryParse(list.slice(start, stop));
    if (row === undefined || (list[stop] !== "," && stop < list.length)) {
      // A row that is written otherwise, e.g. `{}`: what is left is parsed at once.
      yield* whole(`{"task_results": [${list.slice(start)}]}`).rows;
      return;
    }
    yield row.value;
    start = stop + 1;
  }
}

function tryParse(text: string): { readonly value: unknown } | undefined {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

function whole(text: string): SplitRunJson {
  const { value } = parseJsonText(text);
  const rows =
    typeof value === "object" && value !== null && "task_results" in value && Array.isArray(value.task_results) ? value.task_results : [];
  return { rest: value, rows };
}
