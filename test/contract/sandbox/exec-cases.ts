import assert from "node:assert/strict";
import { type ContractCase, exitCodeOf, out, sh } from "./contract.ts";

/** How a command is run and what comes back. */
export const execCases: readonly ContractCase[] = [
  {
    name: "gives the exit code of a command",
    run: async ({ sandbox }) => {
      const codes = [];
      for (const line of ["true", "false", "exit 42", "exit 255"]) codes.push(exitCodeOf(await sh(sandbox, line)));
      assert.deepEqual(codes, [0, 1, 42, 255]);
    },
  },
  {
    name: "says 127 for a command that is not there and 126 for one that may not be run",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "echo no >plain; chmod 644 plain", { cwd: dir });
      assert.equal(exitCodeOf(await sh(sandbox, "no-such-command-here")), 127);
      assert.equal(exitCodeOf(await sh(sandbox, "", { command: ["no-such-command-here"] })), 127);
      assert.equal(exitCodeOf(await sh(sandbox, "", { command: ["./plain"], cwd: dir })), 126);
    },
  },
  {
    name: "keeps standard output and standard error apart",
    run: async ({ sandbox }) => {
      const { output } = await sh(sandbox, "echo one; echo two >&2; printf three");
      assert.deepEqual(output, { stdout: "one\nthree", stderr: "two\n", droppedBytes: 0 });
    },
  },
  {
    name: "hands an argument list over as it is, without a shell",
    run: async ({ sandbox }) => {
      const args = ["$HOME", "`id`", "a b", "", "'\"", "*", "-n", "ü😀", "line\nline"];
      const { output } = await sh(sandbox, "", { command: ["printf", "[%s]", ...args] });
      assert.equal(output.stdout, args.map((arg) => `[${arg}]`).join(""));
    },
  },
  {
    name: "gives a command the sandbox's variables, with its own over them",
    run: async ({ fresh }) => {
      const sandbox = await fresh({ FROM_TASK: "task", BOTH: "task", ODD: "a b\n'\"$x" });
      const stdout = await out(sandbox, `printf '%s|' "$FROM_TASK" "$BOTH" "$OWN" "$ODD"`, { env: { BOTH: "own", OWN: "yes" } });
      assert.equal(stdout, "task|own|yes|a b\n'\"$x|");
    },
  },
  {
    name: "lets no secret of the host or the runner into a command's environment",
    run: async ({ fresh }) => {
      const environment = await out(await fresh(), "env");
      for (const name of [
        "GITHUB_TOKEN",
        "ACTIONS_RUNTIME_TOKEN",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN",
        "INPUT_GITHUB-TOKEN",
        "RUNNER_TEMP",
        "MY_API_KEY",
      ]) {
        assert.ok(!environment.includes(`${name}=`), name);
      }
      assert.ok(!environment.includes("canary"));
    },
  },
  {
    name: "works in workDir, in a directory below it, or in an absolute one",
    run: async ({ sandbox, dir }) => {
      assert.equal(await out(sandbox, "pwd"), `${sandbox.workDir}\n`);
      assert.equal(await out(sandbox, "pwd", { cwd: dir }), `${sandbox.workDir}/${dir}\n`);
      assert.equal(await out(sandbox, "pwd", { cwd: "/" }), "/\n");
    },
  },
  {
    name: "does not run a command whose directory is missing, and says 126",
    run: async ({ sandbox, dir }) => {
      const result = await sh(sandbox, "echo ran", { cwd: `${dir}/missing` });
      assert.deepEqual([exitCodeOf(result), result.output.stdout], [126, ""]);
      assert.notEqual(result.output.stderr, "");
    },
  },
  {
    name: "gives a command empty, closed standard input",
    run: async ({ sandbox }) => {
      assert.equal(await out(sandbox, "wc -c | tr -d ' '"), "0\n");
    },
  },
  {
    name: "hands standard input over whole, also to a command that does not read it",
    run: async ({ sandbox }) => {
      const text = `${"0123456789".repeat(20_000)}\nünd 😀 without a newline`;
      assert.equal(await out(sandbox, "cat", { stdin: text }), text);
      assert.equal(await out(sandbox, "echo done", { stdin: text }), "done\n");
    },
  },
  {
    name: "gives a command streams that it can open by name",
    run: async ({ sandbox }) => {
      const { output } = await sh(sandbox, "echo one >/dev/stdout; echo two >/dev/stderr; cat /dev/stdin", { stdin: "three" });
      assert.deepEqual(output, { stdout: "one\nthree", stderr: "two\n", droppedBytes: 0 });
    },
  },
  {
    name: "caps what it keeps of a flood and counts the rest, and the command can finish",
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, "yes 12345678 | head -c 3000000; yes err | head -c 2000 >&2; exit 7", { maxOutputBytes: 1000 });
      assert.equal(exitCodeOf(result), 7);
      assert.equal(result.output.stdout, "12345678\n".repeat(112).slice(0, 1000));
      assert.equal(result.output.stderr.length, 1000);
      assert.equal(result.output.droppedBytes, 2_999_000 + 1000);
    },
  },
  {
    name: "gives whole characters to the listener even where a write cut one",
    run: async ({ sandbox }) => {
      const seen: string[] = [];
      const result = await sh(sandbox, `printf '\\360\\237'; sleep 0.2; printf '\\230\\200'; printf 'x' >&2`, {
        onOutput: (stream, text) => seen.push(`${stream}:${text}`),
      });
      assert.deepEqual(seen.sort(), ["stderr:x", "stdout:😀"]);
      assert.equal(result.output.stdout, "😀");
    },
  },
  {
    name: "does not end kept output in the middle of a character",
    run: async ({ sandbox }) => {
      const { output } = await sh(sandbox, `printf 'abc\\360\\237\\230\\200def'`, { maxOutputBytes: 5 });
      assert.deepEqual([output.stdout, output.droppedBytes], ["abc", 5]);
    },
  },
  {
    name: "keeps NUL bytes and replaces what is not UTF-8",
    run: async ({ sandbox }) => {
      const { output } = await sh(sandbox, `printf 'a\\000b\\377c\\200\\303('; printf '\\357\\273\\277bom' >&2`);
      assert.equal(output.stdout, "a\0b\uFFFDc\uFFFD\uFFFD(");
      assert.equal(output.stderr, "\uFEFFbom");
    },
  },
  {
    name: "is not hurt by a listener that throws",
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, "echo one; sleep 0.1; echo two", {
        onOutput: () => {
          throw new Error("display broke");
        },
      });
      assert.deepEqual([exitCodeOf(result), result.output.stdout], [0, "one\ntwo\n"]);
    },
  },
  {
    name: "keeps the output of commands that run at the same time apart",
    run: async ({ sandbox }) => {
      const results = await Promise.all([1, 2, 3, 4].map((n) => sh(sandbox, `for i in 1 2 3; do echo ${n}; sleep 0.05; done`)));
      assert.deepEqual(
        results.map(({ output }) => output.stdout),
        ["1\n1\n1\n", "2\n2\n2\n", "3\n3\n3\n", "4\n4\n4\n"],
      );
    },
  },
];
