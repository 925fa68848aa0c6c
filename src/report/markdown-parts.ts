import { inlineCode, inlineText, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { plural } from "./number-text.ts";

// Small pieces that all Markdown reports share.

export const blank: SafeMarkdown = md``;

/** A text of ours, or a foreign one that is short by nature. */
export function text(value: string, maxChars = 200): SafeMarkdown {
  return inlineText(value, maxChars);
}

/** A section: its heading and lines, or undefined when there is nothing to say. */
export interface Section {
  readonly heading: SafeMarkdown;
  readonly lines: readonly SafeMarkdown[];
  /** Blank lines before it. */
  readonly gap: 1 | 2;
}

export type Cells = (value: string) => SafeMarkdown;

/** `text` that remembers: in tables of thousands of rows most cells repeat (ids over tables, statuses, models, times). */
export function createCells(): Cells {
  const known = new Map<string, SafeMarkdown>();
  return (value) => {
    const found = known.get(value);
    if (found !== undefined) return found;
    const safe = text(value);
    if (known.size < 50_000) known.set(value, safe);
    return safe;
  };
}

/** A name in a fixed-width font: in back-ticks, as coder_eval writes it, where nothing in it needs an escape. */
export function codeName(name: string): SafeMarkdown {
  const safe = inlineText(name, 200);
  return safe === name && /^[\w.:/ →(),-]+$/.test(name) ? md`\`${safe}\`` : inlineCode(name, 200);
}

/** The lines of a table. The separator has two dashes more than the header has characters, as coder_eval writes it. */
export function table(headers: readonly string[], rows: readonly (readonly SafeMarkdown[])[]): SafeMarkdown[] {
  const dashes = headers.map((header) =>
    joinMarkdown(
      Array.from({ length: header.length + 2 }, () => md`-`),
      blank,
    ),
  );
  return [row(headers.map((header) => text(header))), md`|${joinMarkdown(dashes, md`|`)}|`, ...rows.map(row)];
}

function row(cells: readonly SafeMarkdown[]): SafeMarkdown {
  return md`| ${joinMarkdown(cells, md` | `)} |`;
}

/** `- **label**: value` */
export function labelled(label: string, value: SafeMarkdown): SafeMarkdown {
  return md`- **${text(label)}**: ${value}`;
}

/** The line below a list or table that was cut: `… and 3 more suites, see run.json`. Nothing where all is shown. */
export function moreLines(left: number, one: string, file?: string): SafeMarkdown[] {
  const where = file === undefined ? "" : `, see ${file}`;
  return left > 0 ? [blank, md`… and ${text(`${plural(left, `more ${one}`)}${where}`)}`] : [];
}
