import type { ModelTurn, Scenario, ScriptUsage } from "./script.ts";

const usage = (step: number): ScriptUsage => ({
  input: 1000 + 100 * step,
  cachedInput: 200,
  // A prompt is put into the cache when it comes for the first time.
  cacheCreation: step === 0 ? 100 : 0,
  output: 50 + step,
  reasoning: 7,
});

export const helloFile = "hello.py";
export const helloText = 'print("hello from the script")\n';
export const lastWords = `Done: ${helloFile} was written and run.`;

/** Writes a file, runs it, says so. */
const work = (first = 0): readonly ModelTurn[] => [
  { text: `I will write ${helloFile}.`, toolCalls: [{ tool: "write", path: helloFile, content: helloText }], usage: usage(first) },
  { text: "Now I run it.", toolCalls: [{ tool: "shell", command: `python3 ${helloFile}` }], usage: usage(first + 1) },
  { text: lastWords, usage: usage(first + 2) },
];

const failing = (status: number, retryAfterSeconds?: number): Scenario => ({
  turns: work(),
  fault: { kind: "status", status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) },
});

const once = (command: string, text = "One command."): readonly ModelTurn[] => [
  { text, toolCalls: [{ tool: "shell", command }], usage: usage(0) },
  { text: "Done with that.", usage: usage(1) },
];

/** Text as an agent should not be trusted with: escape sequences, workflow commands, markup, marks that turn the direction of writing. */
export const hostileText = [
  "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u0007 \u0000 \u202Egnirts\u202C \u2028",
  "::error file=a.ts,line=1::not yours",
  "::add-mask::x",
  "<img src=x onerror=alert(1)> [link](javascript:alert(1)) | pipe | `code` @everyone ![](http://192.0.2.1/x.png)",
  "</details></td>\r\n## Heading",
].join("\n");

/** Prints the names of keys and their values, workflow commands, and a line of two million characters. */
const hostileCommand = [
  "env | grep -i -E 'key|token' ; true",
  "printf '\\033[2J::set-output name=x::y\\n'",
  "head -c 2000000 /dev/zero | tr '\\0' x",
  "echo",
].join("; ");

const eatMemory = "python3 -c 'x = []\nwhile True: x.append(bytearray(16 << 20))'";

export const scenarios: Readonly<Record<string, Scenario>> = {
  ok: { turns: work() },
  thinking: { turns: work().map((turn, step) => ({ ...turn, thinking: `Thought ${step + 1}.` })) },
  slow: { turns: work().map((turn) => ({ ...turn, delayMs: 1500 })) },
  "401": failing(401),
  "402": failing(402),
  "429": failing(429, 1),
  "429-always": failing(429, 1),
  "429-twice-then-ok": { ...failing(429, 1), faultyCalls: 2 },
  "500": failing(500),
  "500-once-then-ok": { ...failing(500), faultyCalls: 1 },
  "529": failing(529),
  drop: { turns: work(), fault: { kind: "drop" } },
  hang: { turns: work(), fault: { kind: "hang" } },
  loop: { turns: [{ text: "Once more.", toolCalls: [{ tool: "shell", command: "echo again" }], usage: usage(0) }], endless: true },
  toolfail: {
    turns: [
      { text: "A command that fails.", toolCalls: [{ tool: "shell", command: "echo to-stderr >&2; exit 7" }], usage: usage(0) },
      ...work(1),
    ],
  },
  oom: { turns: once(eatMemory, "I will take all memory.") },
  big: { turns: once("yes 0123456789 | head -c 5000000", "long ".repeat(20_000)) },
  hostile: { turns: once(hostileCommand, hostileText) },
  refuse: { turns: [{ text: "I will not do that.", usage: usage(0) }] },
};
