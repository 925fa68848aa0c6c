import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { type TestContext } from "node:test";
import { systemClock } from "../../../src/clock.ts";
import { runCommand } from "../../../src/commands/run.ts";
import type { RunOptions } from "../../../src/commands/run-context.ts";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import { strictGate } from "../../../src/results/gate.ts";
import { readTaskResult } from "../../../src/results/read-task-result.ts";
import type { RunSummary } from "../../../src/results/run-summary-schema.ts";
import type { EvaluationResult } from "../../../src/results/task-result.ts";

// Whole runs with a program in claude's place that says what the real one said (test/fixtures/agents/streams).

const streams = resolve(import.meta.dirname, "../../fixtures/agents/streams");
const key = "sk-ant-k3y-0123456789";

/** Prints the streams in turn, one per start, the last one again and again. */
function fakeClaude(counter: string, starts: readonly (readonly [stream: string, exitCode: number])[]): string {
  const cases = starts.map(([stream, exitCode], index) => {
    const pattern = index === starts.length - 1 ? "*" : String(index);
    return `  ${pattern}) cat '${join(streams, stream)}'; exit ${exitCode} ;;`;
  });
  return `#!/bin/sh
if [ "$1" = --version ]; then echo 2.1.0; exit; fi
cat > /dev/null
[ -n "$ANTHROPIC_API_KEY" ] || exit 9
n=$(ls '${counter}' | wc -l)
: > '${counter}'/$$-$n
case $((n)) in
${cases.join("\n")}
esac
`;
}

const taskOf = (id: string, more = "", criterion = "true"): string => `task_id: ${id}
description: ${id}
initial_prompt: do it
agent: {type: claude-code, permission_mode: bypassPermissions}
sandbox: {driver: tempdir, python: null}
${more}success_criteria:
  - {type: run_command, description: fine, command: '${criterion}'}
`;

interface Ran {
  readonly summary: RunSummary;
  readonly log: string;
  readonly starts: number;
  result(id: string): EvaluationResult;
}

async function project(
  t: TestContext,
  tasks: Readonly<Record<string, string>>,
  starts: readonly (readonly [stream: string, exitCode: number])[],
): Promise<(more?: Partial<RunOptions>) => Promise<Ran>> {
  const cwd = await mkdtemp(join(tmpdir(), "evalbatch-agents-"));
  t.after(() => rm(cwd, { recursive: true, force: true }));
  const [bin, counter] = [join(cwd, "bin"), join(cwd, "starts")];
  await mkdir(bin);
  await mkdir(counter);
  await writeFile(join(bin, "claude"), fakeClaude(counter, starts));
  await chmod(join(bin, "claude"), 0o755);
  for (const [id, text] of Object.entries(tasks)) await writeFile(join(cwd, `${id}.yaml`), text);
  const run = async (more: Partial<RunOptions> = {}): Promise<Ran> => {
    const log: string[] = [];
    const screen = { columns: 120, colour: false, write: (text: string) => void log.push(text) };
    const { summary } = await runCommand(
      {
        patterns: ["*.yaml"],
        cwd,
        runDir: "run",
        variants: [],
        overrides: { set: [] },
        sampling: { runSeed: "run" },
        tags: [],
        excludeTags: [],
        includeSkipped: false,
        gate: strictGate,
        verbose: false,
        agentVersions: { only: "image", byType: {} },
        env: { PATH: `${bin}:${process.env.PATH}`, ANTHROPIC_API_KEY: key, EVALBATCH_RETRY_DELAY_SCALE: "0.0001" },
        taskEnv: {},
        ...more,
      },
      {
        clock: systemClock,
        progress: createPlainProgress(screen, () => 0),
        machine: { cpus: 1, memoryBytes: 2 ** 32 },
        signal: new AbortController().signal,
        onSecrets: () => {},
      },
    );
    return {
      summary,
      log: log.join(""),
      starts: (await readdir(counter)).length,
      result: (id) => {
        const read = readTaskResult(join(cwd, "run/default", id, "00/task.json"));
        assert.ok(read.kind === "result", JSON.stringify(read));
        return read.result;
      },
    };
  };
  return run;
}

const here = { kind: "directory", artifact: null, url: null, workflow_run_id: null, workflow_run_attempt: null } as const;
const names = ["a", "b", "c", "d"];
const four = Object.fromEntries(names.map((id) => [id, taskOf(id)]));

test("a key that is refused ends the run's starts with one message, and a resume runs every row again", async (t) => {
  const run = await project(t, four, [
    ["claude.401-bounded.jsonl", 1],
    ["claude.jsonl", 0],
  ]);
  const refused = await run();
  const message =
    "no further task of agent 'claude-code' with model 'claude-sonnet-4-6' is started: Failed to authenticate. API Error: 401 invalid api key (fake); check the key in ANTHROPIC_API_KEY, then resume the run";
  assert.equal(refused.starts, 1);
  assert.equal(refused.log.split(message).length, 2, refused.log);
  assert.deepEqual(refused.summary.warnings, [message]);
  assert.deepEqual(
    refused.summary.not_run.map(({ task_id, reason }) => [task_id, reason]),
    ["b", "c", "d"].map((id) => [id, "agent 'claude-code' with model 'claude-sonnet-4-6' was not let in by its service"]),
  );
  const row = refused.result("a");
  assert.deepEqual(
    [row.final_status, row.error_details?.error_category, row.evalbatch?.cut_short],
    ["ERROR", "agent_auth_error", "agent refused"],
  );
  const resumed = await run({ resume: { retry: "missing", onDrift: "warn", source: here } });
  assert.deepEqual(
    resumed.summary.task_results.map(({ task_id, status }) => [task_id, status]),
    names.map((id) => [id, "SUCCESS"]),
  );
  assert.equal(resumed.starts, 5);
  assert.deepEqual(
    resumed.result("a").evalbatch?.earlier_attempts?.map(({ reason }) => reason),
    ["cut short: agent refused"],
  );
});

test("without a key nothing is started, and the message names the variables", async (t) => {
  const run = await project(t, four, [["claude.jsonl", 0]]);
  const { summary, starts } = await run({ env: { PATH: process.env.PATH } });
  assert.equal(starts, 0);
  assert.deepEqual([summary.task_results.length, summary.not_run.length], [1, 3]);
  assert.match(summary.warnings.join("\n"), /the agent has no key: none of .*ANTHROPIC_API_KEY.* is set; set ANTHROPIC_API_KEY or /);
});

test("only the rows of the refused model are not run, the others are", async (t) => {
  const other = taskOf("b").replace("type: claude-code,", "type: claude-code, model: other,");
  const run = await project(t, { a: taskOf("a"), b: other, c: taskOf("c") }, [
    ["claude.401-bounded.jsonl", 1],
    ["claude.jsonl", 0],
  ]);
  const { summary } = await run();
  assert.deepEqual(
    summary.task_results.map(({ task_id, status }) => [task_id, status]),
    [
      ["a", "ERROR"],
      ["b", "SUCCESS"],
    ],
  );
  assert.deepEqual(
    summary.not_run.map(({ task_id }) => task_id),
    ["c"],
  );
});

test("a rate limit is waited for in place: the crashed turn comes first and the task succeeds", async (t) => {
  const run = await project(t, { a: taskOf("a") }, [
    ["claude.429-bounded.jsonl", 1],
    ["claude.jsonl", 0],
  ]);
  const { log, result } = await run();
  const row = result("a");
  assert.equal(row.final_status, "SUCCESS", row.error_message ?? "");
  assert.deepEqual(
    row.iterations.map(({ iteration, crashed, crash_reason }) => [iteration, crashed, crash_reason]),
    [
      [1, true, "API Error: Request rejected (429) · rate limited (fake)"],
      [1, false, null],
    ],
  );
  assert.equal(row.iteration_count, 2);
  assert.match(log, /the service of agent 'claude-code' limits its calls: its next tasks start in 1 s or a little later/);
});

test("a service that stays broken is tried as often as the table says, then the task is an error", async (t) => {
  const run = await project(t, { a: taskOf("a") }, [["claude.500.jsonl", 1]]);
  const { result, starts } = await run();
  const { final_status, error_message, error_details, iterations } = result("a");
  assert.deepEqual([starts, final_status, iterations.length], [4, "ERROR", 4]);
  assert.equal(error_message, "no answer from the service: server_error (after 4 attempts)");
  const { error_category, attempt_number, is_retryable } = error_details ?? {};
  assert.deepEqual([error_category, attempt_number, is_retryable], ["agent_api_error", 4, true]);
  assert.ok(Number(error_details?.retry_delay_seconds) >= 0.002);
});

test("budgets and turns decide after the criteria: a budget replaces a success, turns replace a failure only", async (t) => {
  const tasks = {
    a: taskOf("a", "run_limits: {max_total_tokens: 10, count_cached_input: true}\n"),
    b: taskOf("b", "run_limits: {max_turns: 2}\n", "false"),
    c: taskOf("c", "run_limits: {max_turns: 2}\n"),
    d: taskOf("d", "run_limits: {expected_turns: 1}\n"),
  };
  const run = await project(t, tasks, [
    ["claude.jsonl", 0],
    ["claude.maxturns.jsonl", 1],
    ["claude.maxturns.jsonl", 1],
    ["claude.jsonl", 0],
  ]);
  const { result } = await run();
  const [a, b, c, d] = [result("a"), result("b"), result("c"), result("d")];
  assert.equal(a.final_status, "TOKEN_BUDGET_EXCEEDED", a.error_message ?? "");
  assert.match(a.error_message ?? "", /^total_tokens budget exceeded: \d+ > 10 \(iteration 1\)$/);
  assert.deepEqual(
    [a.error_details?.error_category, a.error_details?.component, a.weighted_score],
    ["budget_exceeded", "orchestrator.run_limits.tokens", 1],
  );
  assert.deepEqual(
    [b.final_status, b.max_turns_exhausted, b.error_message, b.error_log_tail, b.success_criteria_results.length],
    ["MAX_TURNS_EXHAUSTED", true, null, null, 1],
  );
  assert.deepEqual([c.final_status, c.max_turns_exhausted], ["SUCCESS", true]);
  assert.equal(d.final_status, "SUCCESS");
  assert.match(d.evalbatch?.warnings?.join("\n") ?? "", /^the agent took \d+ turns, 1 were expected/);
});

test("the key stands nowhere in what a run leaves, and only the agent's process has it", async (t) => {
  const run = await project(t, { a: taskOf("a", "", 'test -z "$ANTHROPIC_API_KEY"') }, [["claude.jsonl", 0]]);
  const { result, log } = await run();
  assert.equal(result("a").final_status, "SUCCESS");
  assert.equal(log.includes(key), false);
  assert.equal(JSON.stringify(result("a")).includes(key), false);
});
