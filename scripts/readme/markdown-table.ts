/** A cell of a table: on one line, and what would end it or begin a tag is escaped, but in code between back-quotes. */
function cell(text: string): string {
  const flat = text.trim().replace(/\s+/g, " ").replaceAll("|", "\\|");
  return flat.replace(/`[^`]*`|</g, (part) => (part === "<" ? "&lt;" : part));
}

/** A table in Markdown, without a line end behind it. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), `|${"---|".repeat(header.length)}`, ...rows.map((row) => line(row.map(cell)))].join("\n");
}
