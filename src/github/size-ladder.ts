import { cutMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";

export interface FittedMarkdown {
  readonly text: SafeMarkdown;
  /** A fuller rendering did not fit. */
  readonly shortened: boolean;
}

const notice = md`\n**The report was cut here: it is too large for this page.**\n`;

/**
 * Fits a report into a page's limit.
 * @param ladder renderings of one report from the fullest to the shortest; each is made only when the one before was too large
 * @returns the fullest of at most `maxBytes` (UTF-8); when none fits, the shortest one cut at an end of line, with a
 * notice; nothing where there is no room for that
 */
export function fitMarkdown(ladder: Iterable<SafeMarkdown>, maxBytes: number): FittedMarkdown {
  let shortened = false;
  let last = md``;
  for (const rendering of ladder) {
    if (Buffer.byteLength(rendering) <= maxBytes) return { text: rendering, shortened };
    last = rendering;
    shortened = true;
  }
  const room = maxBytes - Buffer.byteLength(notice);
  if (!shortened || room < 0) return { text: md``, shortened };
  return { text: md`${cutMarkdown(last, room)}${notice}`, shortened };
}
