/**
 * The first lines of a Markdown text, at most `maxBytes` (UTF-8) with what closes the fences and folded sections that
 * are open at the cut: otherwise everything after it would be inside of them. For text whose blocks `markdown.ts` made:
 * backtick fences at the start of a line, `<details>` outside of them.
 */
export function cutAtLine(text: string, maxBytes: number): string {
  const kept: string[] = [];
  let bytes = 0;
  let fence: string | undefined;
  let folded = 0;
  for (const line of text.split("\n")) {
    const run = /^`{3,}/.exec(line)?.[0];
    const nextFence = fence === undefined ? run : line.trimEnd() === fence ? undefined : fence;
    const nextFolded = fence === undefined ? folded + count(line, /<details[ >]/g) - count(line, /<\/details>/g) : folded;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes + Buffer.byteLength(closing(nextFence, nextFolded)) > maxBytes) break;
    kept.push(line);
    fence = nextFence;
    folded = nextFolded;
  }
  return `${kept.map((line) => `${line}\n`).join("")}${closing(fence, folded)}`;
}

function closing(fence: string | undefined, folded: number): string {
  return `${fence === undefined ? "" : `${fence}\n`}${"\n</details>\n".repeat(Math.max(0, folded))}`;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
