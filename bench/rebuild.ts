import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reportCommand } from "../src/commands/report.ts";
import { serializeTaskResult } from "../src/results/serialize-task-result.ts";
import { type EvaluationResult, evaluationResultSchema } from "../src/results/task-result.ts";

export interface RebuildFigures {
  readonly files: number;
  readonly megabytes: number;
  /** Reading and bare `JSON.parse` of the same files. */
  readonly floorMs: number;
  /** `report --rebuild`: parse, check, rows, `run.json`, `run.md`, `run.html`. */
  readonly oursMs: number;
  readonly ratio: number;
  /** Growth of the resident set over the rebuild. */
  readonly rssMegabytes: number;
}

/** Rebuilds a run of `files` results against the floor of parsing them, both measured in this process, best of `rounds`. */
export async function benchRebuild(files = 10_000, rounds = 3): Promise<RebuildFigures> {
  const runDir = mkdtempSync(join(tmpdir(), "evalbatch-bench-rebuild-"));
  try {
    const { paths, bytes } = writeResults(runDir, files);
    let floorMs = Number.POSITIVE_INFINITY;
    let oursMs = Number.POSITIVE_INFINITY;
    parseAll(paths.slice(0, 200));
    const rssBefore = process.memoryUsage.rss();
    let rssPeak = rssBefore;
    for (let round = 0; round < rounds; round += 1) {
      floorMs = Math.min(
        floorMs,
        timed(() => parseAll(paths)),
      );
      const start = performance.now();
      await reportCommand({ runDir, rebuild: true });
      oursMs = Math.min(oursMs, performance.now() - start);
      rssPeak = Math.max(rssPeak, process.memoryUsage.rss());
    }
    const rssMegabytes = (rssPeak - rssBefore) / 2 ** 20;
    return { files, megabytes: bytes / 2 ** 20, floorMs, oursMs, ratio: oursMs / floorMs, rssMegabytes };
  } finally {
    rmSync(runDir, { recursive: true, force: true });
  }
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** The floor: what cannot be left out. */
export function parseAll(paths: readonly string[]): void {
  let ids = 0;
  for (const path of paths) {
    const value: { task_id?: string } = JSON.parse(readFileSync(path, "utf8"));
    ids += value.task_id === undefined ? 0 : 1;
  }
  if (ids !== paths.length) throw new Error("a result without id");
}

function writeResults(runDir: string, files: number): { paths: string[]; bytes: number } {
  const paths: string[] = [];
  let bytes = 0;
  for (let i = 0; i < files; i += 1) {
    const dir = join(runDir, "default", `task-${String(i).padStart(5, "0")}`, "00");
    mkdirSync(dir, { recursive: true });
    const path = join(dir, "task.json");
    const text = serializeTaskResult(sampleResult(i));
    writeFileSync(path, text);
    paths.push(path);
    bytes += Buffer.byteLength(text);
  }
  return { paths, bytes };
}

/** A result as an agent with a dozen tool calls leaves it; one in ten fails. */
export function sampleResult(index: number): EvaluationResult {
  const failed = index % 10 === 0;
  const taskId = `task-${String(index).padStart(5, "0")}`;
  const usage = { uncached_input_tokens: 120, output_tokens: 80, cache_creation_input_tokens: 1000, cache_read_input_tokens: 4000 };
  const commands = Array.from({ length: 12 }, (_, n) => ({
    tool_name: ["Read", "Bash", "Edit", "Grep"][n % 4],
    tool_id: `call_${n}`,
    assistant_turn_index: n,
    timestamp: "2026-07-07T10:11:12.123Z",
    duration_ms: 12.5 * ((index + n) % 17),
    parameters: { command: `grep -rn "pattern ${n}" src && echo 'done ${index}'`, description: "look for it" },
    result_status: n === 3 ? "error" : "success",
    result_summary: `src/file-${n}.ts:12: a line of output\n`.repeat(20),
    sequence_number: n,
    result_tokens: 120,
  }));
  const messages = commands.map((command, n) => ({
    role: "assistant",
    started_at: command.timestamp,
    completed_at: command.timestamp,
    generation_duration_ms: 800 + n,
    content_blocks: [
      {
        block_type: "text",
        sequence: 0,
        text: `Now I look at part ${n} of the program, then I change what is wrong there.`,
        tool_use_id: null,
      },
      { block_type: "tool_use", sequence: 0, text: null, thinking: null, signature: null, tool_use_id: command.tool_id },
    ],
    tool_use_ids: [command.tool_id],
    input_tokens: 100,
    output_tokens: 5,
    stop_reason: "tool_use",
    model: "model-1",
    message_id: `msg_${n}`,
  }));
  const criteria = Array.from({ length: 4 }, (_, n) => ({
    criterion_type: n % 2 === 0 ? "file_contains" : "run_command",
    description: `criterion ${n} of the task`,
    score: failed && n === 1 ? 0 : 1,
    details: `Includes: ${n}/${n} found; Score: 1.00\n${"output of the command, as it is kept in the details\n".repeat(6)}`,
  }));
  return evaluationResultSchema.parse({
    task_id: taskId,
    task_description: "An agent changes a small program and its tests until they pass",
    agent_type: "claude-code",
    model_used: "model-1",
    started_at: "2026-07-07T10:11:12.123Z",
    completed_at: "2026-07-07T10:12:42.123Z",
    duration_seconds: 90.5 + (index % 7),
    final_status: failed ? "FAILURE" : "SUCCESS",
    weighted_score: failed ? 0.75 : 1,
    iteration_count: 1,
    success_criteria_results: criteria,
    iterations: [
      {
        iteration: 1,
        user_input: "Your working directory is: /work\n\nMake the tests pass.\n",
        agent_output: "I looked at the failing test and changed the function. ".repeat(30),
        commands,
        duration_seconds: 80.5,
        token_usage: { ...usage, total_cost_usd: 0.0123 },
        messages,
        num_turns: 9,
        assistant_turn_count: 9,
        result_summary: { is_error: false, subtype: "success", stop_reason: "end_turn", result: "done" },
      },
    ],
    error_log_tail: failed ? "2026-07-07 10:11:12 [INFO] run: a line of the log\n".repeat(40) : null,
    environment_info: { coder_eval: "0.8.2", cli_version: "1.10.0", tool_plugins: { one: "1.0.0" } },
    agent_config: { type: "claude-code", model: "model-1", permission_mode: "acceptEdits", allowed_tools: ["Bash", "Read", "Edit"] },
    task_config: {
      resolved: { task_id: taskId, tags: ["smoke", "area:files"], run_limits: { expected_turns: 12 }, success_criteria: criteria },
      source_yaml: `task_id: ${taskId}\ndescription: a task\n`.repeat(20),
      source_file: `tasks/${taskId}.yaml`,
      lineage: Object.fromEntries(
        commands.map(({ tool_id }) => [`agent.${tool_id}`, { value: null, source: "task", source_detail: null }]),
      ),
    },
    total_token_usage: { ...usage, total_cost_usd: 0.0123 },
    total_assistant_turns: 13,
    actual_commands: 12,
  });
}

if (import.meta.main) {
  const figures = await benchRebuild(Number(process.argv[2] ?? 10_000));
  process.stdout.write(`${JSON.stringify(figures, null, 2)}\n`);
}
