import { parseJson } from "../../criteria/json/parse.ts";
import { isObject, type JsonObject, type JsonValue } from "../../criteria/json/value.ts";
import type { Issue } from "../../errors.ts";
import { PythonError } from "../../python/python-error.ts";
import { stripText } from "../../python/text.ts";
import { describeValue } from "../found-text.ts";
import { readFailure } from "../read-failure.ts";
import type { DatasetLimits } from "./dataset-limits.ts";
import { floatFields } from "./json-floats.ts";
import { fileLines, type Line, type LineProblem } from "./jsonl-lines.ts";
import type { Row, RowPlace } from "./row.ts";
import type { RowIssues } from "./row-issues.ts";

export interface RowsFile {
  readonly path: string;
  /** As messages name it. */
  readonly name: string;
  readonly bytes: number;
}

const jsonlHint = "JSONL has one whole JSON object in each line";

/**
 * Adds the rows of a JSONL file (formats.md 1.7): blank lines are skipped, every other one is a JSON object. Lines that
 * are none go to `issues`.
 * @returns what is wrong with the file as a whole, as a text about it
 */
export async function readJsonl(file: RowsFile, rows: Row[], issues: RowIssues, limits: DatasetLimits): Promise<string | undefined> {
  try {
    if (file.bytes > limits.fileBytes) return `has ${file.bytes} bytes, more than ${limits.fileBytes}`;
    for await (const line of fileLines(file.path, limits)) {
      if ("kind" in line) {
        if (line.kind === "too-large") return `has more than ${limits.fileBytes} bytes`;
        issues.add(() => lineIssue(file, line, limits));
        return undefined;
      }
      if (line.number > limits.lines) return `has more than ${limits.lines} lines`;
      if (stripText(line.text) === "") continue;
      if (rows.length >= limits.rows) return `brings the dataset to more than ${limits.rows} rows`;
      const row = readRow(file, line, issues);
      if (row !== undefined) rows.push(row);
      else if (issues.isFull) return undefined;
    }
    return undefined;
  } catch (error) {
    const why = readFailure(error);
    if (why === undefined) throw error;
    return `cannot be read: ${why}`;
  }
}

function lineIssue(file: RowsFile, problem: Extract<LineProblem, { number: number }>, limits: DatasetLimits): Issue {
  const place = { severity: "error" as const, file: file.name, line: problem.number, column: 1 };
  if (problem.kind === "not-utf8") return { ...place, code: "not-utf8", message: "the line is not UTF-8", hint: "save the file as UTF-8" };
  return { ...place, code: "line-too-long", message: `the line has more than ${limits.lineBytes} bytes`, hint: jsonlHint };
}

function readRow(file: RowsFile, line: Line, issues: RowIssues): Row | undefined {
  const text = stripText(line.text);
  const indent = line.text.indexOf(text);
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof PythonError)) throw error;
    issues.add(() => brokenLine(file, line, text, indent, error.message));
    return undefined;
  }
  if (value !== null && isObject(value)) return new JsonRow(file, line.number, value, floatFields(text));
  const message = `a row is a JSON object, found ${describeValue(value)}`;
  issues.add(() => ({
    severity: "error",
    code: "wrong-type",
    message,
    file: file.name,
    line: line.number,
    column: indent + 1,
    hint: jsonlHint,
  }));
  return undefined;
}

/** The parser counts code points from the line's first character. */
function brokenLine(file: RowsFile, line: Line, text: string, indent: number, told: string): Issue {
  const found = /^(.*?): line 1 column \d+ \(char (\d+)\)$/s.exec(told);
  const reason = found?.[1] ?? told;
  const before = [...text].slice(0, Number(found?.[2] ?? 0)).join("");
  return {
    severity: "error",
    code: "json-syntax",
    message: `the line is no JSON: ${reason.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())}`,
    file: file.name,
    line: line.number,
    column: indent + before.length + 1,
    hint: jsonlHint,
  };
}

class JsonRow implements Row {
  readonly fields: JsonObject;
  readonly #file: RowsFile;
  readonly #line: number;
  readonly #floats: ReadonlySet<string> | undefined;

  constructor(file: RowsFile, line: number, fields: JsonObject, floats: ReadonlySet<string> | undefined) {
    this.fields = fields;
    this.#file = file;
    this.#line = line;
    this.#floats = floats;
  }

  isFloat(field: string): boolean {
    return this.#floats?.has(field) === true;
  }

  place(): RowPlace {
    return { file: this.#file.name, line: this.#line, column: 1 };
  }
}
