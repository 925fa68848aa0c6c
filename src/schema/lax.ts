import { z } from "zod";

// Task files were written for pydantic's lax mode (formats.md 0.3): "3" and 3.0 are integers, "yes" and 1 are
// booleans, true is the integer 1, but a number is never a string and a string never a list.

const intText = /^\s*[+-]?\d+(?:_\d+)*(?:\.0*)?\s*$/;
const floatText = /^\s*[+-]?(?:\d+(?:_\d+)*\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|inf(?:inity)?|nan)\s*$/i;

function toInt(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "string" && intText.test(value)) return Number(value.replaceAll("_", ""));
  return value;
}

function toFloat(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value !== "string" || !floatText.test(value)) return value;
  const text = value.trim().toLowerCase().replaceAll("_", "");
  const word = text.replace(/^[+-]/, "");
  if (word === "nan") return Number.NaN;
  if (word.startsWith("inf")) return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

const truthy = new Set(["true", "t", "yes", "y", "on", "1"]);
const falsy = new Set(["false", "f", "no", "n", "off", "0"]);

function toBool(value: unknown): unknown {
  if (value === 1 || value === 0) return value === 1;
  if (typeof value !== "string") return value;
  const word = value.toLowerCase();
  return truthy.has(word) ? true : falsy.has(word) ? false : value;
}

/** An integer, also as `"3"`, `3.0` or `true`. Give bounds through `check`, e.g. `laxInt(z.int().min(1))`. */
export const laxInt = (check: z.ZodNumber = z.int()) => z.preprocess(toInt, check);

/** A finite number, also as text. */
export const laxFloat = (check: z.ZodNumber = z.number()) => z.preprocess(toFloat, check);

/** A boolean, also as `yes`, `"on"` or `1`. */
export const laxBool = () => z.preprocess(toBool, z.boolean());
