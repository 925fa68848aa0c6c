import { createNameMatcher } from "./name-patterns.ts";

/** What template copies leave out unless the task says `!name` (formats.md 1.4; the list of 0.8.2). */
export const packagedIgnorePatterns: readonly string[] = [
  ...[".venv", "venv", "ENV", "env", "virtualenv"],
  ...[".git", ".svn", ".hg"],
  ...["__pycache__", "*.pyc", "*.pyo", "*.pyd", ".pytest_cache", ".ruff_cache", "*.egg-info", ".eggs", "dist", "build"],
  ...[".vscode", ".idea", "*.swp", "*.swo", "*~", ".DS_Store", "Thumbs.db"],
  ...["node_modules", ".npm", "bower_components"],
  ...[".coverage", "htmlcov", ".tox", ".nox"],
  ...["*.so", "*.dylib", "*.dll"],
];

/** Says which names a template copy leaves out: the packaged list, without what `!name` takes off it, and the task's own patterns. */
export function createIgnore(taskPatterns: readonly string[]): (name: string) => boolean {
  const taken = new Set(taskPatterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1)));
  const own = taskPatterns.filter((pattern) => !pattern.startsWith("!"));
  return createNameMatcher([...packagedIgnorePatterns.filter((pattern) => !taken.has(pattern)), ...own]);
}
