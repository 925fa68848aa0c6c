import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { commandExecuted, commandExecutedSchema } from "../../../../src/criteria/command-executed.ts";
import type { ToolCall } from "../../../../src/criteria/criterion.ts";
import { normaliseShell } from "../../../../src/criteria/tool-calls/normalise-shell.ts";
import { searchTextsOf } from "../../../../src/criteria/tool-calls/search-texts.ts";
import { memorySandbox } from "../../../fakes/memory-sandbox.ts";

const bash = (command: string): ToolCall => ({ tool_name: "Bash", parameters: { command }, result_status: "success" });

async function countOf(criterion: object, ...toolCalls: readonly ToolCall[]): Promise<number> {
  const parsed = commandExecutedSchema.parse({ type: "command_executed", description: "d", min_count: 1000, ...criterion });
  const { score } = await commandExecuted.check(parsed, {
    sandbox: memorySandbox(),
    commandEnv: {},
    toolCalls,
    signal: new AbortController().signal,
  });
  return Math.round(score * 1000);
}

test("the normal form of a command has its words as the shell reads them", () => {
  const forms: Readonly<Record<string, string>> = {
    "uip  ixp \t list": "uip ixp list",
    "uip \\\n   ixp \\\n  list": "uip ixp list",
    "li\\\nst": "list",
    "\"uip\" 'ixp'": "uip ixp",
    "echo 'a  b' \"c  d\"": "echo a  b c  d",
    'echo "a\\"b" a\\ b \'c\\d\'': 'echo a"b a b c\\d',
    "a\n  b": "a\nb",
    "echo 'open  x": "echo open  x",
    "trailing\\": "trailing\\",
  };
  for (const [command, normal] of Object.entries(forms)) assert.equal(normaliseShell(command), normal, command);
});

test("a pattern is found in the normal form, too", async () => {
  assert.equal(await countOf({ command_pattern: "uip ixp list" }, bash('uip \\\n  "ixp"   list')), 1);
  assert.equal(
    await countOf({ command_pattern: "uip ixp list" }, { ...bash(""), tool_name: "Other", parameters: { command: "uip  ixp list" } }),
    0,
  );
});

test("a long command is searched to its end, of other tools only the first 2,000 characters", async () => {
  const text = `${"x".repeat(9_000)} needle`;
  assert.equal(await countOf({ command_pattern: "needle" }, bash(text)), 1);
  assert.equal(await countOf({ command_pattern: "needle" }, { tool_name: "Write", parameters: { content: text }, result_status: null }), 0);
});

test("windows have 2,000 characters and share 256, emojis are one each", () => {
  const command = "😀".repeat(5_000);
  const { base, wider } = searchTextsOf(bash(command));
  assert.deepEqual(
    [base, ...wider].map((window) => [...window].length),
    [2_000, 2_000, 1_512],
  );
  const joined = [base, ...wider].map((window, index) => [...window].slice(index === 0 ? 0 : 256).join("")).join("");
  assert.equal(joined, command);
});

test("what is excluded in the first 2,000 characters is excluded; what counted in 0.8.2 counts though a wider text would exclude it", async () => {
  const far = `${"x".repeat(3_000)} --dry-run`;
  assert.equal(await countOf({ command_pattern: "x", exclude_pattern: "--dry-run" }, bash(far)), 1);
  assert.equal(await countOf({ command_pattern: "dry", exclude_pattern: "--dry-run" }, bash(far)), 0);
  assert.equal(await countOf({ exclude_pattern: "--dry-run" }, bash("deploy --dry-run")), 0);
});

test("a call that counted in 0.8.2 counts", async () => {
  const part = fc.constantFrom("a", "b", " ", '"', "'", "\\", "\n", "x".repeat(700));
  const command = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));
  const pattern = fc.constantFrom("a b", "^a", 'a"', "b$", "x+ a", "\\\\");
  await fc.assert(
    fc.asyncProperty(command, pattern, fc.option(pattern, { nil: undefined }), async (text, command_pattern, exclude_pattern) => {
      // These few patterns mean the same in JavaScript.
      const base = [...(text === "" ? '{"command": ""}' : text)].slice(0, 2_000).join("");
      const found = (source: string) => new RegExp(source.replace(/\$$/, "(?:$|(?=\\n$))"), "s").test(base);
      if (!found(command_pattern) || (exclude_pattern !== undefined && found(exclude_pattern))) return;
      assert.equal(await countOf({ command_pattern, exclude_pattern: exclude_pattern ?? null }, bash(text)), 1);
    }),
    { numRuns: 200 },
  );
});

test("only calls that succeeded count where the task wants it", async () => {
  const calls = ["success", "error", "unknown", null].map((result_status) => ({ ...bash("a"), result_status }));
  assert.equal(await countOf({ require_success: true }, ...calls), 1);
  assert.equal(await countOf({}, ...calls), 4);
});
