import fc from "fast-check";

// Texts that look like task files and then go wrong somewhere: whole snippets with lines and characters changed, and
// lines of a pool put together at random indentation.

const snippets: readonly string[] = [
  `task_id: greet
description: "Say hello: twice"
tags: [smoke, mode:build, "a b", 'it''s']
initial_prompt: |
  Write \`hello.py\`:

    print("hi")

  - one: two # no comment
agent: {type: none, max: 3}
sandbox:
  python: {}
  limits: {cpu: 1.5, list: [1, 2]}
success_criteria:
  - type: run_command
    command: "python3 hello.py"
    weight: 1.0
  - type: file_contains
    path: hello.py
    includes: ["print", 'hi']
`,
  `# a comment
task_id: folded   # why not
description: >-
  One line
  and its end

  and more
    further in
  back
skip: no
run_limits:
  max_turns: 012
  task_timeout: 1:30
weights:
- 1
- 0.5
-   - nested
    - 2026-07-07
- key: a
  other: b
-
  late: yes
`,
  `a: plain text that
  goes on

  and on
b: 'quoted
  over lines'
c: "with \\n escape \\u00e9 and
  a fold"
d: [one,
  two, {k: v, "q": 1},
  ]
e: {
  x: 1,
  y: [a, b]  # comment
  }
f:
g: ~
h: -1
"quoted key": |+
  keep


last: |
  end
`,
  `rows:
  - {id: a, text: "x, y"}
  - id: b
    text: >
      folded

        deeper
      text
  - "just text"
  - plain # comment
  - - 1
    - - 2
nested:
    deep:
        deeper: value
    back: [ ]
    empty: {}
url: http://example.com:80/a#b
time: 12:30:45
mail: me@example.com
regex: 'uip\\s+(or|x)'
path: $HOME/x
`,
];

const pieces = [
  " ",
  "  ",
  "\n",
  "\n\n",
  "\n  ",
  ":",
  ": ",
  " :",
  "- ",
  "-",
  "#",
  " #",
  "'",
  "''",
  '"',
  '\\"',
  "\\",
  "[",
  "]",
  "{",
  "}",
  ",",
  ", ",
  "|",
  "|-",
  "|2",
  ">",
  ">+",
  "&a",
  "*a",
  "!",
  "!!str ",
  "%",
  "@",
  "`",
  "?",
  "? ",
  "<<",
  "<<: ",
  "=",
  "---",
  "\n---\n",
  "...",
  "\n...\n",
  "\t",
  "\u00a0",
  "\ufeff",
  "é",
  "😀",
  "~",
  "null",
  "yes",
  "1",
  "1.0",
  "1e3",
  "0x1F",
  "1_000",
  "2026-07-07",
  "a",
  "__proto__",
  "\\x41",
  "\\u0041",
  "\\ud83d",
  "\\ ",
  "\\\n",
  "  # c\n",
  "\n# c\n",
] as const;

const lines = [
  "a: 1",
  "b:",
  "b: x",
  "c: |",
  "c: >",
  "c: >-",
  "c: |+",
  "c: |-  # header",
  "- ",
  "- x",
  "- a: 1",
  "- - x",
  "- |",
  "-",
  "text",
  "more text",
  "",
  "",
  "   ",
  "# comment",
  "d: [1, 2,",
  "3]",
  "e: {a: 1,",
  "b: 2}",
  "f: 'one",
  "two'",
  'g: "one',
  'two"',
  '"k": v',
  "'k': v",
  "'text'",
  "h: i # c",
  "[a, b]",
  "{a: b}",
  "x: - y",
  "y: a: b",
  "z: 'a' b",
  "- 'q': 1",
  "u: http://x",
  "]",
  "}",
  "1: x",
  "yes: x",
  "k : v",
  "k:v",
  "- -1",
  "-x",
  "  deeper",
  "\u00a0x",
  "n: 2001-12-14",
  "21:59:43",
] as const;

type Edit =
  | { readonly kind: "insert" | "replace"; readonly at: number; readonly piece: string }
  | { readonly kind: "delete"; readonly at: number; readonly length: number }
  | { readonly kind: "line"; readonly what: "delete" | "duplicate" | "swap" | "join"; readonly at: number }
  | { readonly kind: "indent"; readonly at: number; readonly by: number; readonly count: number }
  | { readonly kind: "cut"; readonly at: number };

function applied(text: string, edit: Edit): string {
  const place = Math.floor(edit.at * text.length);
  if (edit.kind === "insert") return text.slice(0, place) + edit.piece + text.slice(place);
  if (edit.kind === "replace") return text.slice(0, place) + edit.piece + text.slice(place + 1);
  if (edit.kind === "delete") return text.slice(0, place) + text.slice(place + edit.length);
  if (edit.kind === "cut") return text.slice(0, place);
  const all = text.split("\n");
  const index = Math.floor(edit.at * all.length);
  const line = all[index] ?? "";
  if (edit.kind === "indent") {
    const moved = all.slice(index, index + edit.count).map((one) => (edit.by > 0 ? " ".repeat(edit.by) + one : one.slice(-edit.by)));
    all.splice(index, moved.length, ...moved);
  } else if (edit.kind !== "line") return text;
  else if (edit.what === "delete") all.splice(index, 1);
  else if (edit.what === "duplicate") all.splice(index, 0, line);
  else if (edit.what === "swap") all.splice(index, 2, all[index + 1] ?? "", line);
  else all.splice(index, 2, `${line}${all[index + 1] ?? ""}`);
  return all.join("\n");
}

const at = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const piece = fc.constantFrom(...pieces);
const edit: fc.Arbitrary<Edit> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("insert"), at, piece }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("replace"), at, piece }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete"), at, length: fc.integer({ min: 1, max: 12 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("line"), what: fc.constantFrom("delete", "duplicate", "swap", "join"), at }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("indent"),
      at,
      by: fc.constantFrom(-4, -2, -1, 1, 2, 4),
      count: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("cut"), at }) },
);

const edited = fc.tuple(fc.constantFrom(...snippets), fc.array(edit, { maxLength: 4 })).map(([text, edits]) => edits.reduce(applied, text));

const assembled = fc
  .array(fc.tuple(fc.constantFrom(0, 0, 0, 2, 2, 4, 1, 3, 6), fc.constantFrom(...lines)), { minLength: 1, maxLength: 9 })
  .map((all) => all.map(([indent, line]) => " ".repeat(indent) + line).join("\n"))
  .chain((text) => fc.constantFrom("\n", "\n", "", "\n\n", "\n  ").map((end) => text + end));

const valued = fc
  .tuple(
    fc.constantFrom("", "a: ", "- ", "a:\n  ", "- a: ", "a: [", "a: {k: ", "a: |\n  ", "a: >\n  ", "a: '", 'a: "'),
    fc.array(piece, { maxLength: 8 }),
    fc.constantFrom("", "\n", "\nb: 2\n", "]\n", "}\n", "'\n", '"\n'),
  )
  .map(([head, middle, end]) => head + middle.join("") + end);

/** Texts at the edge of YAML, right and wrong ones. */
export const oddYaml: fc.Arbitrary<string> = fc.oneof(edited, assembled, valued);
