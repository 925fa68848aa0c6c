/**
 * One name against a list of patterns: a leading `*` means "ends with", a trailing one "begins with", both "contains", else the name itself;
 * case counts (formats.md 1.4, ignore patterns).
 */
export function createNameMatcher(patterns: readonly string[]): (name: string) => boolean {
  const exact = new Set(patterns.filter((pattern) => !pattern.startsWith("*") && !pattern.endsWith("*")));
  const wild = patterns.filter((pattern) => !exact.has(pattern));
  return (name) => exact.has(name) || wild.some((pattern) => matchesWild(name, pattern));
}

function matchesWild(name: string, pattern: string): boolean {
  const atStart = pattern.startsWith("*");
  const core = pattern.slice(atStart ? 1 : 0, pattern.endsWith("*") && pattern.length > 1 ? -1 : undefined);
  if (atStart && pattern.endsWith("*") && pattern.length > 1) return name.includes(core);
  return atStart ? name.endsWith(core) : name.startsWith(core);
}
