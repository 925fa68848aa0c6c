/** Characters of one line that are kept; what a model may print in one event is far below. */
export const longestLine = 16 * 1024 * 1024;

export interface LineSplitter {
  /** The lines that this piece completes, without their ends. */
  push(text: string): string[];
  /** What is left without an end of line. */
  end(): string[];
}

/** Cuts a stream of text into lines. A line over `longest` characters is cut there: its rest is dropped, so that memory is bounded. */
export function splitLines(longest = longestLine): LineSplitter {
  let pieces: string[] = [];
  let kept = 0;
  const keep = (piece: string): void => {
    if (piece === "" || kept >= longest) return;
    const fitting = piece.slice(0, longest - kept);
    pieces.push(fitting);
    kept += fitting.length;
  };
  const take = (): string => {
    const line = pieces.join("");
    pieces = [];
    kept = 0;
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  return {
    push(text) {
      const parts = text.split("\n");
      const lines: string[] = [];
      for (const [index, part] of parts.entries()) {
        keep(part);
        if (index < parts.length - 1) lines.push(take());
      }
      return lines;
    },
    end() {
      return kept === 0 ? [] : [take()];
    },
  };
}
