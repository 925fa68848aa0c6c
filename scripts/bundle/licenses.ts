import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

/** Some packages name no licence, or in a form of old; ncc leaves the line empty then. */
const manifest = z.looseObject({ license: z.string().catch("") });

/**
 * Joins ncc's lists into one, each package once, by name. A section of a list begins with the package's name and, on
 * the next line, its licence as its package.json has it.
 */
export function mergeLicenses(root: string, lists: readonly string[]): string {
  const sections = new Map<string, string>();
  for (const list of lists) {
    let name: string | undefined;
    let section: string[] = [];
    const finish = (): void => {
      if (name !== undefined) sections.set(name, section.join("\n").trimEnd());
    };
    const lines = list.split(/\r?\n/);
    for (const [index, line] of lines.entries()) {
      if ((lines[index - 1] ?? "") === "" && licenseOf(root, line) === lines[index + 1]) {
        finish();
        name = line;
        section = [];
      }
      section.push(line.trimEnd());
    }
    finish();
  }
  const sorted = [...sections].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, section]) => section);
  return `${sorted.join("\n\n")}\n`;
}

function licenseOf(root: string, name: string): string | undefined {
  if (!/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name)) return undefined;
  try {
    return manifest.parse(JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"))).license;
  } catch {
    return undefined;
  }
}
