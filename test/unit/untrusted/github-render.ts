import { micromark } from "micromark";
import { gfm, gfmHtml } from "micromark-extension-gfm";

/** Markdown as GitHub shows it, before its filters run: HTML allowed, as GitHub allows it. */
export function render(markdown: string): string {
  return micromark(markdown, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] });
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"' };
const decode = (html: string): string => html.replace(/&(amp|lt|gt|quot);/g, (_, name: string) => entities[name] ?? "");

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
  /@[\p{L}\p{N}_-]|#\d|\bGH-\d|\bGHSA-\w|(?<![\p{L}\p{N}])[\da-f]{7,40}(?![\p{L}\p{N}])|https?:\/\/|\bwww\.|:[\w+-]+:/iu;
