import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

export const root = join(import.meta.dirname, "..", "..", "..");

/** The doors: files that are run, not imported. */
export const doors: ReadonlySet<string> = new Set(["src/cli.ts", "src/main.ts", "src/post.ts", "src/github/artifact-worker.ts"]);

export interface SourceFile {
  /** Relative to the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Every TypeScript file below `src/`, sorted. */
export function sourceFiles(): SourceFile[] {
  const paths = globSync("src/**/*.ts", { cwd: root }).map((path) => path.split(sep).join("/"));
  return paths.sort().map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The text without its comments, lines kept. Good enough for code that the formatter has laid out. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, "")).replace(/(^|\s)\/\/.*$/gm, "$1");
}

const importPattern = /^(?:import|export)\b[^;"]*?\bfrom "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;

/** What a file imports, types included: packages by name, files of ours relative to the repository. */
export function importsOf(file: SourceFile): string[] {
  const found = [...withoutComments(file.text).matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return found.map((specifier) => (specifier.startsWith(".") ? posix.join(posix.dirname(file.path), specifier) : specifier));
}

/** The station that a path below `src/` belongs to: its folder, or its own name for a file that lies in `src/` itself. */
export function stationOf(path: string): string {
  const [, station = ""] = path.split("/");
  return station.replace(/\.ts$/, "");
}
