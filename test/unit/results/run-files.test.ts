import assert from "node:assert/strict";
import test from "node:test";
import { selectRunFiles } from "../../../src/results/run-files.ts";

const results = selectRunFiles("results");
const all = selectRunFiles("all");

/** `take`, the reason, or nothing for what is not part of it. */
function said(
  select: typeof all,
  path: string,
  kind: "file" | "directory" = path.endsWith("/") ? "directory" : "file",
): string | undefined {
  const selection = select(path.replace(/\/$/, ""), kind);
  return selection.kind === "take" ? "take" : selection.reason;
}

const rankOf = (path: string): number => {
  const selection = all(path, "file");
  assert.equal(selection.kind, "take", path);
  return selection.kind === "take" ? selection.rank : 0;
};

test("the reports of a run and the results of its rows are taken", () => {
  const paths = [
    ...["run.json", "run.md", "run.html", "plan.json", "experiment.log", "experiment.json", "resume_fingerprint.json", "comment.json"],
    ...["default/variant.json", "default/variant.html", "default/a-suite/suite.json", "default/a/suite/suite.md"],
    ...[
      "task.json",
      "task.log",
      "docker.log",
      "conversation.log",
      "agent-stream.jsonl",
      "task.html",
      "judge-0.yaml",
      "post-failure-judge-12.yaml",
      "prior.json",
    ].map((name) => `default/a-task/00/${name}`),
    ...["task.json.previous", "task.json.malformed", "task.json.unhonored", "task.execute.json", "grade.log"].map(
      (name) => `v/t/12/${name}`,
    ),
  ];
  for (const path of paths) for (const select of [results, all]) assert.equal(said(select, path), "take", path);
});

test("rows are known by their place, also for ids of several parts and of digits", () => {
  for (const path of [
    "default/suite/row/00/task.json",
    "default/a/b/c/d/100/task.json",
    "default/2024/01/00/task.json",
    "v/a/00/01/task.json",
  ]) {
    assert.deepEqual(all(path, "file"), { kind: "take", rank: 2, group: path.slice(0, path.lastIndexOf("/")) });
  }
  for (const path of ["task.json", "default/task.json", "default/00/task.json", "default/a-task/task.json", "default/a-task/0/task.json"]) {
    assert.equal(said(all, path), undefined, path);
    assert.equal(all(path, "file").kind, "leave", path);
  }
});

test("foreign files are no part of it, whatever lies around", () => {
  const paths = [
    "package.json",
    "src/main.ts",
    ".env",
    "src/run.json",
    "a/b/run.md",
    "deploy/key.pem",
    "default/a-task/00/other.txt",
    "default/notes.md",
  ];
  const ours = ["run.json.tmp", "default/a-task/00/task.json.tmp", "default/a-task/00/.coder_eval_host_heartbeat", "evalbatch-files.json"];
  for (const path of [...paths, ...ours])
    for (const select of [results, all]) assert.deepEqual(select(path, "file"), { kind: "leave", reason: undefined }, path);
});

test("directories in which no row can be are not walked", () => {
  for (const path of ["node_modules/", "a/node_modules/", ".git/", "x/.venv/"]) {
    assert.deepEqual(all(path.slice(0, -1), "directory"), { kind: "leave", reason: undefined });
  }
  for (const path of ["default/", "default/.hidden-task/", "src/"]) assert.equal(said(all, path), "take");
});

test("a run inside of the run is left to itself, and said so", () => {
  assert.deepEqual(all("old", "directory", ["default", "run.json"]), { kind: "leave", reason: "another run" });
  assert.equal(all("default/t/00/artifacts", "directory", ["run.json"]).kind, "take");
  assert.equal(all("default", "directory", ["t"]).kind, "take");
});

test("files of tasks are taken only when all is wanted", () => {
  for (const path of ["v/t/00/artifacts/", "v/t/00/artifacts/t/", "v/t/00/artifacts/t/out.txt", "v/t/00/artifacts/t/v/x/00/task.json"]) {
    assert.equal(said(all, path), "take", path);
    assert.deepEqual(
      results(path.replace(/\/$/, ""), path.endsWith("/") ? "directory" : "file"),
      { kind: "leave", reason: undefined },
      path,
    );
  }
  assert.deepEqual(all("v/s/row/03/artifacts/s/row/x/y.txt", "file"), { kind: "take", rank: 7, group: "v/s/row/03" });
});

test("what a task left is never taken for a result", () => {
  assert.equal(rankOf("v/t/00/artifacts/t/v/x/00/task.json"), rankOf("v/t/00/artifacts/t/out.txt"));
  assert.equal(rankOf("v/t/00/artifacts/run.json"), rankOf("v/t/00/artifacts/t/out.txt"));
});

test("hidden files, dependencies and credentials of tasks stay, each with its reason", () => {
  const expected: Readonly<Record<string, string>> = {
    ".git/": "hidden",
    ".env": "hidden",
    "src/.ssh/": "hidden",
    ".venv/": "dependencies",
    "node_modules/": "dependencies",
    "src/__pycache__/": "dependencies",
    "gha-creds-0123456789abcdef.json": "credentials",
    "src/index.ts": "take",
    "venv.txt": "take",
    node_modules: "take",
  };
  for (const [path, reason] of Object.entries(expected)) assert.equal(said(all, `v/t/00/artifacts/t/${path}`), reason, path);
});

test("a task whose id begins with a dot keeps its files, but for those that are hidden in it", () => {
  assert.equal(said(all, "v/.t/00/artifacts/.t/"), "take");
  assert.equal(said(all, "v/a/.t/00/artifacts/a/.t/x.txt"), "take");
  assert.equal(said(all, "v/.t/00/artifacts/.t/.env"), "hidden");
  assert.equal(said(all, "v/t/00/artifacts/.t/"), "hidden");
});

test("what is needed most comes first", () => {
  const order = [
    "run.json",
    "run.md",
    "v/t/00/task.json",
    "run.html",
    "v/t/00/task.log",
    "v/t/00/docker.log",
    "experiment.log",
    "v/t/00/artifacts/t/a",
  ];
  const ranks = order.map(rankOf);
  assert.deepEqual(
    ranks,
    [...ranks].sort((a, b) => a - b),
  );
  assert.equal(new Set(ranks).size, ranks.length);
});

test("what a resume needs leaves with the results, and what it set aside does not", () => {
  for (const select of [results, all]) {
    for (const path of ["plan.json", "resume_fingerprint.json", "v/t/00/attempts.json", "v/t/00/task.json"]) {
      assert.equal(said(select, path), "take", path);
    }
    const unused = [
      "v/t/00/task.json.unreadable",
      "v/t/00/task.json.unreadable-2",
      "v/t/00/task.json.misplaced",
      "v/t/00/task.json.unused",
      "v/t/00/task.json.tmp",
      "v/t/00/attempts.json.tmp",
      "run.json.unreadable",
      "v/attempts.json",
    ];
    for (const path of unused) assert.equal(select(path, "file").kind, "leave", path);
    assert.equal(select("v.unused", "directory", ["run.json", "t"]).kind, "leave");
  }
  assert.equal(rankOf("plan.json"), rankOf("run.json"));
  assert.equal(rankOf("resume_fingerprint.json"), rankOf("run.json"));
  assert.ok(rankOf("run.md") < rankOf("v/t/00/attempts.json"));
  // Of a row both or none, as far as there is room.
  assert.equal(rankOf("v/t/00/attempts.json"), rankOf("v/t/00/task.json"));
});
