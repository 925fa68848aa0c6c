const minColumnWidth = 12;

/** Columns as wide as their widest cell; when the line gets longer than `columns` characters, the widest ones are cut first. */
export function renderColumns(rows: readonly (readonly string[])[], columns: number): string[] {
  const count = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const widths = Array.from({ length: count }, (_column, column) =>
    rows.reduce((widest, row) => Math.max(widest, [...(row[column] ?? "")].length), 0),
  );
  const total = () => widths.reduce((sum, width) => sum + width + 2, -2);
  while (total() > columns) {
    const widest = widths.indexOf(widths.reduce((most, width) => Math.max(most, width), 0));
    if ((widths[widest] ?? 0) <= minColumnWidth) break;
    widths[widest] = Math.max(minColumnWidth, (widths[widest] ?? 0) - (total() - columns));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

function fit(cell: string, width: number): string {
  const characters = [...cell];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : cell + " ".repeat(width - characters.length);
}
