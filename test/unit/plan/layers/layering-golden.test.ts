import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { z } from "zod";
import type { OverrideFlags } from "../../../../src/plan/overrides/overrides.ts";
import { makePlan } from "../../../../src/plan/plan.ts";
import { planOptions } from "../task-folder.ts";

// What the Python tool 0.8.2 wrote for tasks and experiments whose agent is a scripted one. Ours are the same files with
// `claude-code` in its place, and `claude_settings`, which merge alike, for its `tokens`.

const folder = join(import.meta.dirname, "../../../fixtures/plan/layering");
const fields = z.record(z.string(), z.unknown());
const rowSchema = z.object({
  replicates: z.number(),
  resolved: fields.and(z.object({ agent: fields })),
  lineage: z.record(z.string(), z.object({ value: z.unknown(), source: z.string(), source_detail: z.string().nullable() })),
});
type Row = z.infer<typeof rowSchema>;
const golden = z.record(z.string(), z.record(z.string(), rowSchema)).parse(JSON.parse(readFileSync(join(folder, "golden.json"), "utf8")));

/** Words of the scripted agent, and ours for them. A field without a word of ours is left out. */
type Words = Readonly<Record<string, string>>;
const asClaude: Words = { scripted: "claude-code", tokens: "claude_settings" };
const asOpencode: Words = { scripted: "opencode", reply: "variant" };

const scriptedFields = ["steps", "tokens", "reply", "fail_start", "crash", "crash_times", "sleep", "max_turns_hit"];
const ownFields: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "claude-code": { claude_settings: null, sdk_options: {}, setting_sources: null },
  opencode: { variant: null, pure: true, require_token_telemetry: true },
};

function translated(row: Row, words: Words): Row {
  const agent = Object.entries(row.resolved.agent).flatMap(([name, value]): [string, unknown][] => {
    if (name === "type") return [[name, words[String(value)] ?? value]];
    if (!scriptedFields.includes(name)) return [[name, value]];
    const mine = words[name];
    return mine === undefined ? [] : [[mine, value]];
  });
  const type = agent.find(([name]) => name === "type")?.[1];
  const resolved = { ...row.resolved, agent: { ...ownFields[String(type)], ...Object.fromEntries(agent) } };
  const lineage = Object.entries(row.lineage).flatMap(([path, entry]) => {
    const [root = "", name = "", ...rest] = path.split(".");
    if (path === "agent.type") return [[path, { ...entry, value: words[String(entry.value)] ?? entry.value }] as const];
    if (path === "agent.system_prompt_file")
      return [["agent.system_prompt", { ...entry, value: row.resolved.agent.system_prompt }] as const];
    if (root !== "agent" || !scriptedFields.includes(name)) return [[path, entry] as const];
    const mine = words[name];
    if (mine === undefined) return [];
    const place = [root, mine, ...rest].join(".");
    return [[place, { ...entry, source_detail: entry.source_detail?.replace(path, place) ?? null }] as const];
  });
  return { replicates: row.replicates, resolved, lineage: Object.fromEntries(lineage) };
}

const here = (value: unknown, root: string): unknown => JSON.parse(JSON.stringify(value).replaceAll(root, "/workspace"));

interface Run {
  readonly name: string;
  readonly root: string;
  readonly experiment?: string;
  readonly flags?: Partial<OverrideFlags>;
  readonly words: Words;
}

const layersFile = join(folder, "experiments/layers.yaml");
const abFolder = join(folder, "ab");
const abFile = join(abFolder, "experiments/ab.yaml");
const cliSet = [
  "run_limits.max_turns=3",
  "agent.permission_mode=default",
  "sandbox.docker.env_passthrough_extra=[CLI_VAR]",
  "agent.allowed_tools=[Grep]",
  "sandbox.limits.max_memory_mb=512",
];
const runs: readonly Run[] = [
  { name: "run-default-experiment", root: folder, words: asClaude },
  { name: "run-layers-1-4", root: folder, experiment: layersFile, words: asClaude },
  { name: "run-cli", root: folder, experiment: layersFile, flags: { set: cliSet, model: "model-cli" }, words: asClaude },
  { name: "run-type-flag", root: folder, flags: { type: "opencode", set: ["agent.variant=hi"] }, words: asOpencode },
  { name: "ab-run", root: abFolder, experiment: abFile, words: asClaude },
  { name: "ab-run-repeats-flag", root: abFolder, experiment: abFile, flags: { repeats: 3 }, words: asClaude },
];

/** All tasks of a variant that a file makes in a run. */
async function tasksOf(run: Run, variantId: string, taskName: string) {
  const { tasks } = await makePlan(
    planOptions(run.root, {
      patterns: [`tasks/${taskName}.yaml`],
      experiment: run.experiment,
      variants: [variantId],
      overrides: { set: [], ...run.flags },
      unsupported: "note",
    }),
  );
  return tasks;
}

/** The prompt of a file that was read takes the place that the prompt of a lower layer had. */
const inOrder = (lineage: object): string[] => Object.keys(lineage).filter((path) => path !== "agent.system_prompt");

for (const run of runs) {
  for (const [key, row] of Object.entries(golden[run.name] ?? {})) {
    test(`${run.name}: ${key} has the values, the lineage and the replicates that 0.8.2 gave it`, async () => {
      const [variantId = "", taskName = ""] = key.split("/");
      const mine = await tasksOf(run, variantId, taskName);
      const expected = translated(row, run.words);
      assert.equal(mine.length, expected.replicates);
      for (const { lineage, task } of mine) {
        assert.deepEqual(here(lineage, run.root), expected.lineage);
        assert.deepEqual(inOrder(lineage), inOrder(expected.lineage));
        assert.deepEqual(here(task, run.root), expected.resolved);
      }
    });
  }
}

test("the golden rows are those of all variants and tasks", () => {
  assert.deepEqual(
    Object.entries(golden).map(([name, rows]) => [name, Object.keys(rows).length]),
    [
      ["run-default-experiment", 2],
      ["run-layers-1-4", 6],
      ["run-cli", 6],
      ["run-type-flag", 1],
      ["ab-run", 8],
      ["ab-run-repeats-flag", 2],
    ],
  );
});
