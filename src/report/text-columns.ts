const minColumnWidth = 12;
/** Also where nobody looks at a terminal: one overlong id would make every line as long. */
const maxColumnWidth = 300;

/**
 * Columns as wide as their widest cell. When the line gets longer than `columns` characters, cells are cut in the middle,
 * since ids and paths differ at both ends.
 * @param cutFirst indexes of the columns that can be spared most; the first column, which names the row, is cut last
 */
export function renderColumns(rows: readonly (readonly string[])[], columns: number, cutFirst: readonly number[] = []): string[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const all = Array.from({ length: count }, (_column, column) => column);
  const widths = all.map((column) => {
    const widest = rows.reduce((most, row) => Math.max(most, [...(row[column] ?? "")].length), 0);
    return Math.min(widest, maxColumnWidth);
  });
  for (const group of [cutFirst, all.slice(1), all]) shrink(widths, group, columns);
  return rows.map((row) =>
    row
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Cuts the widest of some columns, again and again, as far as they go. */
function shrink(widths: number[], group: readonly number[], columns: number): void {
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > columns) {
    const most = group.reduce((widest, column) => Math.max(widest, widths[column] ?? 0), 0);
    const column = group.find((candidate) => widths[candidate] === most);
    if (most <= minColumnWidth || column === undefined) return;
    // No further than to the next widest one, so that equal columns stay equal; but one at least.
    const next = group.reduce((second, other) => {
      const width = widths[other] ?? 0;
      return width < most && width > second ? width : second;
    }, minColumnWidth);
    widths[column] = Math.min(most - 1, Math.max(next, most - (total() - columns)));
  }
}

function fit(cell: string, width: number): string {
  const characters = [...cell];
  if (characters.length <= width) return cell + " ".repeat(width - characters.length);
  const head = Math.ceil((width - 1) / 2);
  return `${characters.slice(0, head).join("")}…${characters.slice(characters.length - (width - 1 - head)).join("")}`;
}
