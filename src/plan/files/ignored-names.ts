import { createIgnore } from "./ignore-list.ts";
import { createNameMatcher } from "./name-patterns.ts";

/**
 * What tools and people's machines leave behind in any folder. It is no content: a fingerprint with it would differ after every run
 * (gascity#1624).
 */
export const leftBehindNames: readonly string[] = [
  ...[".git", ".svn", ".hg", ".jj"],
  ...["node_modules", "bower_components", ".npm", ".yarn", ".pnpm-store"],
  ...["__pycache__", "*.pyc", "*.pyo", ".venv", "venv", ".tox", ".nox", "*.egg-info", ".eggs", ".ipynb_checkpoints"],
  ...[".cache", ".pytest_cache", ".ruff_cache", ".mypy_cache", ".hypothesis", ".coverage", "htmlcov", ".nyc_output", ".parcel-cache"],
  ...[".gradle", ".terraform"],
  ...[".vscode", ".idea", "*.swp", "*.swo", "*~", ".DS_Store", "Thumbs.db", "desktop.ini"],
];

/** Names that no part of a content has. */
export const isLeftBehind: (name: string) => boolean = createNameMatcher(leftBehindNames);

/**
 * Names that a template leaves out: what its copy leaves out, and what is left behind, unless the task asks for it (`!node_modules`).
 * @param patterns the task's `ignore_patterns`
 */
export function createTemplateIgnore(patterns: readonly string[]): (name: string) => boolean {
  const wanted = new Set(patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)));
  const isNotCopied = createIgnore(patterns);
  const isRest = createNameMatcher(leftBehindNames.filter((pattern) => !wanted.has(pattern)));
  return (name) => isNotCopied(name) || isRest(name);
}
