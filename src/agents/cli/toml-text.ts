/** A TOML basic string: any text, also with line ends, quotes and control characters. */
export function tomlString(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\\p{Cc}]/gu, (sign) => {
    if (sign === '"' || sign === "\\") return `\\${sign}`;
    return `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0").toUpperCase()}`;
  });
  return `"${escaped}"`;
}

export type TomlTable = { readonly [key: string]: string | number | boolean | TomlTable };

/** A TOML document. Keys are quoted where they are not bare; tables come after the values of their table. */
export function tomlDocument(table: TomlTable): string {
  const lines: string[] = [];
  write(table, [], lines);
  return `${lines.join("\n")}\n`;
}

function write(table: TomlTable, path: readonly string[], lines: string[]): void {
  const tables: [string, TomlTable][] = [];
  for (const [key, value] of Object.entries(table)) {
    if (typeof value === "object") tables.push([key, value]);
    else lines.push(`${keyText(key)} = ${typeof value === "string" ? tomlString(value) : String(value)}`);
  }
  for (const [key, value] of tables) {
    const inner = [...path, key];
    lines.push("", `[${inner.map(keyText).join(".")}]`);
    write(value, inner, lines);
  }
}

function keyText(key: string): string {
  return /^[\w-]+$/.test(key) ? key : tomlString(key);
}
