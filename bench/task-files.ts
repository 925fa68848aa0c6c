import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "..");

export interface TaskFiles extends AsyncDisposable {
  readonly dir: string;
  readonly count: number;
  readonly bytes: number;
  /** Whether they are copies of real ones. */
  readonly real: boolean;
}

/**
 * A folder of task files as a large repository has it: copies of the real ones that lie beside this repository, each with
 * an id of its own, or where there are none, made-up ones of the same shape. Removed at the end of the block.
 */
export async function taskFiles(count: number): Promise<TaskFiles> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-bench-"));
  const originals = realTexts() ?? [madeUp()];
  let bytes = 0;
  for (let index = 0; index < count; index += 1) {
    const id = `bench-${String(index).padStart(5, "0")}`;
    const text = (originals[index % originals.length] ?? "").replace(/^task_id:.*$/m, `task_id: ${id}`);
    const file = join(dir, String(Math.floor(index / 100)), `${id}.yaml`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    bytes += Buffer.byteLength(text);
  }
  return { dir, count, bytes, real: originals.length > 1, [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true }) };
}

/** Those that stand alone: a file beside a copy (a dataset, a Dockerfile) is not copied. */
function realTexts(): readonly string[] | undefined {
  const folder = join(process.env.EVALBATCH_SHARED ?? join(root, "../shared"), "corpus/tasks");
  if (!existsSync(folder)) return undefined;
  const texts = globSync("**/*.{yaml,yml}", { cwd: folder })
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((text) => /^task_id:/m.test(text) && !/^(?:dataset:|\s*(?:path|dockerfile_path): .*(?:jsonl|Dockerfile))/m.test(text));
  return texts.length > 10 ? texts : undefined;
}

function madeUp(): string {
  const criterion = (index: number) => `
  - type: run_command
    description: "Step ${index} ran: the service answers and its log has no error"
    command: 'uip\\s+(or|orchestrator) check --step ${index} "$TASK_DIR/check.py"'
    timeout: 60
    expected_exit_code: 0
    weight: ${index}.5
    pass_threshold: 1.0
`;
  const list = Array.from({ length: 12 }, (_none, index) => `  - \`asset-${index}\` — an asset of kind ${index}, value \`${index * 7}\``);
  return `task_id: made-up
description: >
  An agent sets up what the prompt lists, changes one of the values and leaves
  the rest alone. The check asks the service, not the agent.
tags: [bench, e2e, mode:operate, lifecycle:setup]

agent:
  type: claude-code
  allowed_tools: ["Skill", "Bash", "Read", "Write"]

run_limits:
  max_turns: 24

initial_prompt: |
  I need these assets set up inside one of my folders. The folder path is
  in \`seed.json\`; use the prefix in the names so they don't clash.

${list.join("\n")}

  Do NOT ask for approval. Do NOT pause.

success_criteria:${Array.from({ length: 8 }, (_none, index) => criterion(index + 1)).join("")}`;
}
