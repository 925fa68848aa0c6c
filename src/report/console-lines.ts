import { logLines } from "../untrusted/log.ts";

/** One line of foreign text behind a prefix of ours, cut to the width; at most one entry. */
export function fitted(foreign: string, prefix: string, width: number): string[] {
  const oneLine = foreign.trim().replace(/\s*[\n\r\u2028\u2029]+\s*/g, " | ");
  const characters = Array.from(oneLine);
  const room = Math.max(10, width - prefix.length);
  const cut = characters.length <= room ? oneLine : `${characters.slice(0, room - 1).join("")}…`;
  return logLines(cut, prefix).slice(0, 1);
}
