import { inlineText, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { blank } from "./markdown-parts.ts";

const titleChars = 100;

/** A run's title with a colon behind it, at most `maxBytes` (UTF-8) before that: escapes multiply bytes, so characters bound nothing. */
export function titleWithColon(title: string, maxBytes = 2000): SafeMarkdown {
  const safe = bounded(title, maxBytes);
  // Without a gap before our colon, a title that ends in `:white_check_mark` would become an emoji.
  const gap = /:[^\s:]+$/.test(safe) ? md`\u200b` : blank;
  return md`${safe}${gap}:`;
}

function bounded(title: string, maxBytes: number): SafeMarkdown {
  for (let chars = titleChars; chars > 1; chars = Math.floor(chars / 2)) {
    const safe = inlineText(title, chars);
    if (Buffer.byteLength(safe) <= maxBytes) return safe;
  }
  return md`evals`;
}
