// Words and numbers of the gate's reasons.

/** Foreign text on one line without control and format characters (a bidi mark would turn the rest of the line), cut to `max` characters. */
export function oneLine(foreign: string, max: number): string {
  // Cut first: an error message may be as long as a log.
  const clean = foreign
    .slice(0, 20 * max)
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
  const characters = Array.from(clean);
  return characters.length <= max ? clean : `${characters.slice(0, max - 1).join("")}…`;
}

/** A number without the noise of binary fractions: 0.07 × 100 is 7. */
export function numberText(value: number): string {
  return String(Number(value.toPrecision(12)));
}

/** An integer with thousands commas. */
export function thousands(value: number): string {
  return String(Math.trunc(value)).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A share as the user wrote it, in percent: `90%`, `99.5%`. */
export function percentText(share: number): string {
  return `${numberText(share * 100)}%`;
}

/** A share with one decimal, or with as many as it takes to look smaller than what it misses: never "90.0%, at least 90% asked". */
export function percentBelow(share: number, asked: number): string {
  for (let digits = 1; digits <= 10; digits += 1) {
    const text = (share * 100).toFixed(digits);
    if (Number(text) < asked * 100) return `${text}%`;
  }
  return percentText(share);
}

/** The same for a score, with three decimals or more. */
export function scoreBelow(score: number, asked: number): string {
  for (let digits = 3; digits <= 10; digits += 1) {
    const text = score.toFixed(digits);
    if (Number(text) < asked) return numberText(Number(text));
  }
  return numberText(score);
}
