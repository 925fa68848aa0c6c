import { z } from "zod";

/** A list of texts; a single text is not a list. */
export const textList = z.array(z.string());

/** `null` (the default) or a list of texts. */
export const textListOrNull = textList.nullable().default(null);

/** `null` (the default) or text. */
export const textOrNull = z.string().nullable().default(null);

/** Free mapping with text keys. */
export const freeMapping = z.record(z.string(), z.unknown());

/** A mapping with text keys, as YAML's reader makes it; no `Map`, date or binary data. */
export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** A relative POSIX path without `..`; `message` names the field. */
export function isInsidePath(path: string): boolean {
  const parts = path.replaceAll("\\", "/").split("/");
  return path !== "" && !path.startsWith("/") && !/^[A-Za-z]:/.test(path) && !parts.includes("..");
}

/**
 * Names that template copies leave out, on top of the packaged list; `!name` takes one off that list (formats.md 1.3).
 * Blanks around an entry are cut; an empty entry or a bare `!` is refused.
 */
export const ignorePatterns = z
  .array(
    z
      .string()
      .transform((pattern) => pattern.trim())
      .refine((pattern) => pattern !== "" && pattern !== "!", { message: "an ignore pattern must not be empty or a bare '!'" }),
  )
  .default(() => []);
