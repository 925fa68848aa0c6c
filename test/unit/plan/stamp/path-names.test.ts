import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { taskFolder } from "../task-folder.ts";
import { stampFolder } from "./stamped.ts";

test("within a checkout names and digests are the same from every working directory; one above it is as good as one in it", async () => {
  const criterion = `success_criteria:\n  - {type: run_command, description: d, command: "sh $TASK_DIR/../shared/check.sh"}\n`;
  const template = "  template_sources: [{type: template_dir, path: app}]\n";
  const task = `task_id: t\ndescription: d\nagent: {type: none}\nsandbox:\n${template}${criterion}`;
  const files = { "evals/one/t.yaml": task, "evals/one/app/a": "1", "evals/shared/check.sh": "true" };
  const at = (prefix: string) => Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}${name}`, text]));
  const marks = { "repo/.git/HEAD": "ref: refs/heads/main", "worktree/.git": "gitdir: x" };
  await using folder = await taskFolder({ ...at("repo/"), ...at("worktree/"), ...marks });
  const stamps = [];
  for (const cwd of ["", "repo", "repo/evals", "repo/evals/one", "worktree/evals"]) {
    const patterns = [join(folder.path, cwd.startsWith("worktree") ? "worktree" : "repo", "evals/one")];
    stamps.push((await stampFolder(join(folder.path, cwd), {}, { patterns })).stamp);
  }
  const [first, ...others] = stamps;
  assert.deepEqual(
    Object.keys(first?.content ?? {}).filter((part) => /^(?:file|folder) /.test(part)),
    ["file evals/shared/check.sh", "folder evals/one/app"],
  );
  for (const other of others) assert.deepEqual(other, first);
});
