import type { HostileText } from "./hostile-pieces.ts";

/** What stands at a place where a criterion is compiled when it is planned. */
const criteria: readonly HostileText[] = [
  "(a{1000}){1000}",
  "((a{1,1000}){1,1000}){1,1000}",
  "(a+)+$",
  "(".repeat(100_000),
  `${"(".repeat(50_000)}a${")".repeat(50_000)}`,
  "[".repeat(100_000),
  `${"(?:".repeat(2000)}a${")*".repeat(2000)}`,
  "a|".repeat(200_000),
  `[${"a-z".repeat(100_000)}]`,
  "\\w".repeat(200_000),
  "a{99999999999}",
  `(?P<${"n".repeat(100_000)}>a)`,
  "(?i)".repeat(50_000),
  "\\N{LATIN SMALL LETTER A}".repeat(10_000),
  "(?<=a{1000})".repeat(1000),
  `${"(a)".repeat(50_000)}\\99`,
].map((pattern) => ({
  name: `the regular expression ${pattern.slice(0, 24)} (${pattern.length})`,
  ends: "read",
  text: () =>
    `task_id: t\ndescription: d\nagent: {type: none}\nsuccess_criteria:\n- {type: file_matches_regex, description: d, path: a, pattern: ${JSON.stringify(pattern)}}\n`,
}));

const expressions: readonly HostileText[] = [
  "[".repeat(100_000),
  `${"(".repeat(100_000)}a${")".repeat(100_000)}`,
  `${"!".repeat(100_000)}a`,
  `${"a.".repeat(100_000)}a`,
  `${"a||".repeat(100_000)}a`,
  "&".repeat(100_000),
  "a[?".repeat(50_000),
  "{a:".repeat(50_000),
  `\`${"[".repeat(100_000)}\``,
  "f(".repeat(50_000),
  "*".repeat(100_000),
  "a[*]".repeat(50_000),
].map((expression) => ({
  name: `the JMESPath expression ${expression.slice(0, 12)} (${expression.length})`,
  ends: "read",
  text: () =>
    `task_id: t\ndescription: d\nagent: {type: none}\nsuccess_criteria:\n- {type: json_check, description: d, path: a, assertions: [{expression: ${JSON.stringify(expression)}, operator: equals, expected: 1}]}\n`,
}));

const globs: readonly HostileText[] = [
  "**/".repeat(50_000),
  "{a,b}".repeat(50_000),
  "[".repeat(100_000),
  "{".repeat(100_000),
  "*".repeat(100_000),
].map((glob) => ({
  name: `the glob ${glob.slice(0, 12)} (${glob.length})`,
  ends: "read",
  text: () =>
    `task_id: t\ndescription: d\nagent: {type: none}\nsuccess_criteria:\n- {type: file_exists, description: d, path: ${JSON.stringify(glob)}}\n`,
}));

/** Task files whose criteria are hard to compile. */
export const hostileCriteria: readonly HostileText[] = [...criteria, ...expressions, ...globs];
