import { filled, type HostileText, mega, repeated, task } from "./hostile-pieces.ts";

function laughs(levels: number): string {
  const first = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  return first + repeated(levels, (level) => `a${level + 1}: &a${level + 1} [${repeated(10, () => `*a${level}, `)}]\n`);
}

const inBlocks = (depth: number): string => repeated(depth, (level) => `${" ".repeat(level)}a:\n`);

const deep: readonly HostileText[] = [
  { name: "brackets 100,000 deep", ends: "yaml-depth", text: () => "[".repeat(100_000) + "]".repeat(100_000) },
  { name: "braces 100,000 deep", ends: "yaml-too-many", text: () => `${"{a: ".repeat(100_000)}1${"}".repeat(100_000)}` },
  {
    name: "brackets 3,000 deep in a field of a task",
    ends: "yaml-depth",
    text: () => `${task}checker_context: ${"[".repeat(3000)}${"]".repeat(3000)}\n`,
  },
  {
    name: "braces 1,000 deep in a field of a task",
    ends: "yaml-depth",
    text: () => `${task}checker_context: ${"{a: ".repeat(1000)}1${"}".repeat(1000)}\n`,
  },
  {
    name: "brackets 50 deep in a criterion",
    ends: "missing-field",
    text: () => `task_id: t\ndescription: d\nsuccess_criteria: ${"[".repeat(50)}${"]".repeat(50)}\n`,
  },
  { name: "blocks 4,000 deep", ends: "file-too-large", text: () => inBlocks(4000) },
  { name: "dashes 100,000 deep", ends: "yaml-depth", text: () => `${"- ".repeat(100_000)}x\n` },
  { name: "question marks 100,000 deep", ends: "yaml-depth", text: () => `${"? ".repeat(100_000)}x\n` },
];

const bombs: readonly HostileText[] = [
  { name: "a billion laughs", ends: "yaml-alias", text: () => laughs(12) },
  { name: "a billion laughs in a field of a task", ends: "yaml-alias", text: () => task + laughs(12) },
  { name: "laughs just below the limit", ends: "read", text: () => task + laughs(3) },
  { name: "quadratic aliases", ends: "yaml-alias", text: () => `a: &a [${"x,".repeat(50_000)}]\nb: [${"*a,".repeat(50_000)}]\n` },
  {
    name: "merge keys on merge keys",
    ends: "yaml-alias",
    text: () => `a0: &a0 {k: 1}\n${repeated(40, (level) => `a${level + 1}: &a${level + 1} {<<: [*a${level}, *a${level}]}\n`)}`,
  },
  { name: "an alias to its own ancestor", ends: "yaml-alias", text: () => "a: &a\n  b: [*a]\n" },
  { name: "a merge key of its own mapping", ends: "yaml-alias", text: () => "a: &a\n  <<: *a\n" },
  { name: "a merge key of an ancestor", ends: "yaml-alias", text: () => "a: &a\n  b: {<<: *a}\n" },
  { name: "a merge key of a list of itself", ends: "yaml-alias", text: () => "a: &a\n  - {<<: *a}\n" },
  { name: "anchors on everything", ends: "missing-field", text: () => "&r\n&k a: &v 1\n&l b: &m [&x 1, &y {&z c: &w 2}]\n" },
];

const words: readonly HostileText[] = [
  { name: "an empty file", ends: "wrong-type", text: () => "" },
  { name: "a byte order mark alone", ends: "wrong-type", text: () => "\ufeff" },
  { name: "two byte order marks", ends: "read", text: () => `\ufeff\ufeff${task}` },
  { name: "a byte order mark in the middle", ends: "read", text: () => `${task}x: a\ufeffb\n` },
  { name: "a byte order mark before a key", ends: "read", text: () => `${task}\ufeffx: b\n` },
  { name: "NUL", ends: "yaml-character", text: () => `${task}x: a\0b\n` },
  { name: "an escape for a terminal", ends: "yaml-character", text: () => `${task}x: \u001b[2J\n` },
  { name: "an escape in quotes", ends: "read", text: () => `${task}"\\e[2J\\a": 1\n` },
  { name: "NEL", ends: "yaml-character", text: () => `${task}x: a\u0085y: b\n` },
  { name: "the line separator", ends: "yaml-character", text: () => `${task}x: a\u2028y: b\n` },
  { name: "the paragraph separator in quotes", ends: "yaml-character", text: () => `${task}x: "a\u2029b"\n` },
  { name: "marks that turn the direction", ends: "read", text: () => `${task}"\u202egpj.exe\u2066": 1\n` },
  { name: "half a pair by escape", ends: "read", text: () => `${task}x: "\\ud83d"\n` },
  { name: "half a pair as a key", ends: "read", text: () => `${task}"\\ud83d": 1\n` },
  { name: "a character that is none", ends: "yaml-character", text: () => `${task}x: \uffff\n` },
  { name: "carriage returns alone", ends: "read", text: () => task.replaceAll("\n", "\r") },
  { name: "CRLF", ends: "read", text: () => task.replaceAll("\n", "\r\n") },
  { name: "tabs for indentation", ends: "yaml-tab", text: () => "a:\n\tb: 1\n" },
  { name: "another version", ends: "yaml-version", text: () => "%YAML 3.0\n---\na: 1\n" },
  { name: "version 1.2", ends: "read", text: () => `%YAML 1.2\n---\n${task}` },
  { name: "version 1.1 twice", ends: "read", text: () => `%YAML 1.1\n%YAML 1.1\n---\n${task}` },
  { name: "a directive without a document", ends: "yaml-syntax", text: () => "%YAML 1.1\n" },
  { name: "two documents", ends: "yaml-documents", text: () => `${task}---\n${task}` },
  { name: "an object of Python's", ends: "yaml-tag", text: () => `${task}x: !!python/object/apply:os.system ["touch /tmp/owned"]\n` },
  { name: "a name of Python's", ends: "yaml-tag", text: () => "!!python/name:os.system\n" },
  { name: "a tag of somebody's", ends: "yaml-tag", text: () => `${task}x: !env HOME\n` },
  { name: "a tag that is JavaScript", ends: "yaml-tag", text: () => `${task}x: !!js/function 'function () { return 1 }'\n` },
  { name: "__proto__", ends: "yaml-key", text: () => `${task}__proto__: {polluted: true}\n` },
  { name: "__proto__ in quotes, in brackets", ends: "yaml-key", text: () => `${task}x: {"__proto__": {polluted: true}}\n` },
  { name: "__proto__ by escape", ends: "yaml-key", text: () => `${task}"\\x5f_proto__": {polluted: true}\n` },
  { name: "__proto__ by a merge key", ends: "yaml-key", text: () => `${task}x:\n  <<: {__proto__: {polluted: true}}\n` },
  {
    name: "constructor and its like",
    ends: "read",
    text: () => `${task}constructor: {prototype: {polluted: true}}\ntoString: 1\nhasOwnProperty: 1\nvalueOf: 1\n`,
  },
  {
    name: "constructor and its like in a nested field",
    ends: "unknown-key",
    text: () => `${task}sandbox: {constructor: 1, toString: 2, hasOwnProperty: 3, __defineGetter__: 4}\n`,
  },
  {
    name: "a criterion type named like a method",
    ends: "missing-field",
    text: () => "task_id: t\ndescription: d\nsuccess_criteria: [{type: constructor}, {type: toString}, {type: __proto__}]\n",
  },
  { name: "1e999", ends: "wrong-type", text: () => `${task}run_limits: {max_turns: 1.0e+999}\n` },
  { name: "not a number", ends: "wrong-type", text: () => `${task}run_limits: {max_turns: .nan}\n` },
  { name: "an integer of many digits", ends: "yaml-value", text: () => `${task}run_limits: {max_turns: ${filled("9")}}\n` },
  { name: "an integer of many hex digits", ends: "yaml-value", text: () => `${task}run_limits: {max_turns: 0x${filled("f")}}\n` },
  {
    name: "an integer to base 60 without end",
    ends: "yaml-value",
    text: () => `${task}run_limits: {max_turns: 1${":59".repeat(300_000)}}\n`,
  },
  {
    name: "a float to base 60 without end",
    ends: "wrong-type",
    text: () => `${task}run_limits: {max_turns: 1${":59".repeat(300_000)}.5}\n`,
  },
  { name: "a float that is nearly one", ends: "wrong-type", text: () => `${task}run_limits: {max_turns: 1${filled("_")}.0x}\n` },
  { name: "a date that is nearly one", ends: "read", text: () => `${task}x: 2026-07-07${filled(" ")}x\n` },
  { name: "a timestamp as id", ends: "wrong-type", text: () => task.replace("task_id: t", "task_id: 2026-07-07") },
  { name: "a day that is none", ends: "yaml-value", text: () => `${task}x: 2026-02-30\n` },
  { name: "binary", ends: "read", text: () => `${task}x: !!binary ${filled("QUJD")}\n` },
  { name: "binary as id", ends: "wrong-type", text: () => task.replace("task_id: t", "task_id: !!binary QUJD") },
  { name: "sets and ordered mappings", ends: "odd-key", text: () => `${task}x: !!set {a, b}\ny: !!omap [a: 1]\nsandbox: !!set {a}\n` },
  { name: "an ordered mapping of many", ends: "yaml-too-many", text: () => `x: !!omap [${filled("a: 1,")}]\n` },
  { name: "a key of four megabytes", ends: "yaml-syntax", text: () => `${task}${filled("k")}: 1\n` },
  { name: "a key of four megabytes in quotes", ends: "yaml-syntax", text: () => `${task}"${filled("k")}": 1\n` },
  { name: "a key of four megabytes after a question mark", ends: "read", text: () => `${task}? ${filled("k")}\n: 1\n` },
  { name: "a key of four megabytes in a nested field", ends: "unknown-key", text: () => `${task}sandbox:\n  ? ${filled("k")}\n  : 1\n` },
  { name: "25,000 unknown fields", ends: "read", text: () => task + repeated(25_000, (index) => `field_${index}: 1\n`) },
  {
    name: "25,000 unknown fields in a nested one",
    ends: "unknown-key",
    text: () => `${task}sandbox:\n${repeated(25_000, (index) => `  field_${index}: 1\n`)}`,
  },
  {
    name: "25,000 criteria",
    ends: "unknown-type",
    text: () => `${task.replace(/success_criteria.*\n/, "")}success_criteria:\n${repeated(25_000, () => "- {type: nothing}\n")}`,
  },
  {
    name: "25,000 criteria without a type",
    ends: "wrong-type",
    text: () => `${task.replace(/success_criteria.*\n/, "")}success_criteria:\n${repeated(25_000, () => "- 1\n")}`,
  },
  {
    name: "8,000 good criteria",
    ends: "read",
    text: () =>
      `${task.replace(/success_criteria.*\n/, "")}success_criteria:\n${repeated(8_000, (index) => `- {type: run_command, description: d${index}, command: 'true'}\n`)}`,
  },
  { name: "25,000 tags that are wrong", ends: "invalid-text", text: () => `${task}tags: [${"Not A Tag,".repeat(25_000)}]\n` },
  { name: "25,000 odd keys", ends: "odd-key", text: () => `${task}sandbox: [${"{1: 2},".repeat(25_000)}]\n` },
  { name: "a value of four megabytes of the wrong type", ends: "wrong-type", text: () => `${task}tags: ${filled("x")}\n` },
  { name: "a tag of four megabytes", ends: "invalid-text", text: () => `${task}tags: [${filled("a-")}A]\n` },
  { name: "an agent type of four megabytes", ends: "missing-field", text: () => task.replace("none", filled("x")) },
  {
    name: "a variable in a path without end",
    ends: "unknown-type",
    text: () => `${task}sandbox: {template_sources: [{type: local, path: "${"$X".repeat(mega / 4)}"}]}\n`,
  },
];

/** Texts that blow up, nest, or use a word or a character that means something to somebody. */
export const hostileTexts: readonly HostileText[] = [...words, ...bombs, ...deep];
