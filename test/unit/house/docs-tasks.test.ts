import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { makePlan } from "../../../src/plan/plan.ts";
import { planOptions, taskFolder } from "../plan/task-folder.ts";
import { root } from "./source-files.ts";

/** The blocks of a document that a reader copies into a task file. */
function taskBlocks(document: string): string[] {
  const blocks = readFileSync(join(root, document), "utf8").matchAll(/^```ya?ml\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, block = ""]) => block).filter((block) => block.startsWith("task_id:"));
}

test("every whole task in the documents loads without a word", async () => {
  const documents = ["README.md", ...globSync("docs/*.md", { cwd: root })];
  const blocks = documents.flatMap((document) => taskBlocks(document).map((yaml) => ({ document, yaml })));
  assert.ok(blocks.length >= 2);
  for (const { document, yaml } of blocks) {
    await using folder = await taskFolder({ "task.yaml": yaml });
    const { issues, tasks } = await makePlan(planOptions(folder.path));
    assert.deepEqual([document, issues, tasks.length > 0], [document, [], true]);
  }
});
