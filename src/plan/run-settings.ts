/** What becomes of the files that a task left (formats.md 8.9). */
export const preservationModes = ["NONE", "MOVE_ON_WRITE", "DIRECT_WRITE"] as const;
export type PreservationMode = (typeof preservationModes)[number];

/** More tasks at a time than this is a typing error. */
export const maxConcurrency = 1000;

/**
 * A rate or score of 0 … 1: `0.9`, `.9`, `1` or `90%`. As strict as YAML: `1e-1` or `NaN` is a mistake, and so is `90`, of
 * which nobody can know whether 90 % or 0.9 % was meant.
 */
export function parseShare(
  text: string,
): { readonly kind: "share"; readonly value: number } | { readonly kind: "problem"; readonly problem: string } {
  const match = /^(\d+|\d*\.\d+) ?(%?)$/.exec(text);
  const [, digits = "", sign = ""] = match ?? [];
  // The exponent keeps it exact: 33.3 / 100 is not the number that 0.333 is.
  const value = match === null ? Number.NaN : Number(sign === "" ? digits : `${digits}e-2`);
  if (value >= 0 && value <= 1) return { kind: "share", value };
  const shown = JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}…` : text);
  const meant = sign === "" && value > 1 && value <= 100 ? `; did you mean ${digits}%?` : "";
  return { kind: "problem", problem: `expected a share from 0 to 1 such as 0.9, or 90%, got ${shown}${meant}` };
}
