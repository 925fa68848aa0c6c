import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as GitHub shows it, before its filters run: HTML allowed, as GitHub allows it. */
export function render(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
/** Numbers too: within a block of HTML they stand as they were written. */
const decode = (html: string): string =>
  html.replace(/&(?:(amp|lt|gt|quot)|#(\d+));/g, (_, name?: string, code?: string) =>
    name === undefined ? String.fromCodePoint(Number(code)) : (entities[name] ?? ""),
  );

/** The text that a reader sees, decoded, without tags; a line break parts what stands around it. */
export function shownText(html: string): string {
  return decode(html.replaceAll("<br>", "\n").replace(/<[^>]*>/g, ""));
}

/** The text that GitHub's link filters look at: everything outside of code. */
export function filteredText(html: string): string {
  return shownText(html.replace(/<(pre|code)\b[\s\S]*?<\/\1>/g, " "));
}

export function tagsOf(html: string): string[] {
  return Array.from(html.matchAll(/<\/?([a-z][a-z0-9]*|!--)[^>]*>/gi), (match) => match[1] ?? "");
}

/** What GitHub's filters would turn into a link, a notification or a picture. */
export const liveReference =
  /@[\p{L}\p{N}_-]|#\d|(?<![\p{L}\p{N}])GH(?:-\d|SA-\w)|(?<![\p{L}\p{N}])[\da-f]{7,40}(?![\p{L}\p{N}])|https?:\/\/|(?<![\p{L}\p{N}])www\.|:[\w+-]+:/iu;

/** Addresses that the page leads to or loads from, in links and pictures of any kind. */
export function addressesOf(html: string): string[] {
  const address = /\s(?:href|src|srcset|action|poster|background)\s*=\s*"?([^"\s>]*)/gi;
  return Array.from(html.matchAll(/<[a-z][^>]*>/gi)).flatMap(([tag]) => Array.from(tag.matchAll(address), (match) => match[1] ?? ""));
}

/** Level and decoded text of each heading. */
export function headingsOf(html: string): { level: number; text: string }[] {
  return Array.from(html.matchAll(/<h([1-6])>([\s\S]*?)<\/h\1>/g), ([, level, text = ""]) => ({
    level: Number(level),
    text: shownText(text),
  }));
}
