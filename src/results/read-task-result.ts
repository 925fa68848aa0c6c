import { isUtf8 } from "node:buffer";
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import type { z } from "zod";
import { errorMessage } from "../errors.ts";
import { isAsIs } from "./as-is.ts";
import { parseJsonObject } from "./json-text.ts";
import { type EvaluationResult, evaluationResultSchema } from "./task-result.ts";

export type ReadResult =
  | { readonly kind: "result"; readonly result: EvaluationResult; readonly warning?: string | undefined }
  /** `reason` is one line. */
  | { readonly kind: "unreadable"; readonly reason: string };

const maxBytes = 256 * 1024 * 1024;
const sharedBytes = 1024 * 1024;
let shared: Buffer | undefined;

/** Reads one `task.json` of any supported version. Never throws: what is wrong with the file is a value. */
export function readTaskResult(path: string): ReadResult {
  try {
    return parseTaskResult(readBounded(path));
  } catch (error) {
    return { kind: "unreadable", reason: errorMessage(error) };
  }
}

/** A file as text. Of ten thousand files nearly all fit into one buffer, which spares an allocation and several calls each. */
function readBounded(path: string): string {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    if (size > maxBytes) throw new Error(`the file has ${size} bytes, more than ${maxBytes}`);
    if (size > sharedBytes) return decode(readFileSync(file));
    shared ??= Buffer.allocUnsafeSlow(sharedBytes);
    let length = 0;
    for (let read = -1; read !== 0 && length < size; length += read) read = readSync(file, shared, length, size - length, null);
    return decode(shared.subarray(0, length));
  } finally {
    closeSync(file);
  }
}

/** Bytes that are no text were damaged, and nobody knows what else was. */
function decode(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Error("the file is not valid UTF-8");
  return bytes.toString("utf8");
}

/** Parses the text of a `task.json`. */
export function parseTaskResult(text: string): ReadResult {
  const parsed = parseJsonObject(text);
  if (parsed.kind === "unreadable") return parsed;
  if (isAsIs(evaluationResultSchema, parsed.value)) return { kind: "result", result: parsed.value, warning: parsed.warning };
  const checked = evaluationResultSchema.safeParse(parsed.value);
  if (!checked.success) return { kind: "unreadable", reason: explain(checked.error, parsed.value) };
  return { kind: "result", result: checked.data, warning: parsed.warning };
}

function explain(error: z.ZodError, value: Readonly<Record<string, unknown>>): string {
  const status = value.final_status;
  const problems = error.issues.slice(0, 3).map((issue) => {
    const path = issue.path.join(".");
    if (path === "final_status")
      return status === undefined ? "final_status is missing" : `final_status ${JSON.stringify(status)} is unknown`;
    return `${path}: ${issue.message}`;
  });
  const more = error.issues.length - problems.length;
  return problems.join("; ") + (more > 0 ? `; and ${more} more` : "");
}
