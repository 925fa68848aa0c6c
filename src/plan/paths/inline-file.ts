import { readFile } from "node:fs/promises";
import { errorMessage } from "../../errors.ts";
import { quote } from "../found-text.ts";
import type { Problem } from "../issues.ts";
import { readFailure } from "../read-failure.ts";
import { decodeUtf8 } from "../yaml/source-text.ts";
import { findFile, missingProblem, type PathPlace } from "./find-file.ts";
import { pathFields } from "./path-fields.ts";

type Fields = Readonly<Record<string, unknown>>;

const maxPromptBytes = 5 * 1024 * 1024;

/** A block of a file with its paths resolved: prompts inlined, paths absolute. */
export interface WithPaths {
  /** The very same mapping when nothing had to change. */
  readonly fields: Fields;
  readonly problems: readonly Problem[];
}

const promptFile = pathFields.find(({ field }) => field === "initial_prompt_file");

/** `<name>_file` is read into `<name>`, and its field is null afterwards. `place.path` is the path of `fields`. */
export async function inlinePromptFile(fields: Fields, name: "initial_prompt" | "system_prompt", place: PathPlace): Promise<WithPaths> {
  const key = `${name}_file`;
  const file = fields[key];
  // Both given is for the schema and the rules to refuse.
  if (typeof file !== "string" || (fields[name] !== undefined && fields[name] !== null)) return { fields, problems: [] };
  const read = await readPrompt(file, { ...place, path: [...place.path, key] });
  return { fields: read.text === undefined ? fields : { ...fields, [name]: read.text, [key]: null }, problems: read.problems };
}

interface Read {
  readonly text?: string | undefined;
  readonly problems: readonly Problem[];
}

async function readPrompt(file: string, place: PathPlace): Promise<Read> {
  const found = await findFile(file, place);
  if (found.kind === "undefined") return { problems: [found.problem] };
  const notes = found.problem === undefined ? [] : [found.problem];
  const refuse = (code: string, message: string, hint?: string): Read => ({
    problems: [...notes, { severity: "error", code, path: place.path, message, hint }],
  });
  const missing = promptFile === undefined ? undefined : missingProblem(promptFile, file, found.stats, place.path);
  if (missing !== undefined) return { problems: [...notes, missing] };
  const bytes = found.stats?.size ?? 0;
  if (bytes > maxPromptBytes) return refuse("file-too-large", `${quote(file)} has ${bytes} bytes, more than ${maxPromptBytes}`);
  const content = await readFile(found.path).catch((error: unknown) => readFailure(error) ?? errorMessage(error));
  if (typeof content === "string") return refuse("unreadable", `the file ${quote(file)} cannot be read: ${content}`);
  const decoded = decodeUtf8(content);
  if (decoded.kind === "invalid")
    return refuse("not-utf8", `${quote(file)} is not UTF-8: byte ${decoded.byte} starts no character`, "save the file as UTF-8");
  const text = decoded.text.replace(/\r\n?/g, "\n").trim();
  const empty: Problem = { severity: "warning", code: "empty-prompt", path: place.path, message: `the file ${quote(file)} is empty` };
  return { text, problems: text === "" ? [...notes, { ...empty, hint: "the agent is given an empty prompt" }] : notes };
}
