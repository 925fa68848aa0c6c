import assert from "node:assert/strict";
import test from "node:test";
import { z } from "zod";
import { makeProject, noneTask, runCli } from "./cli.ts";

const taskFile = z.object({ environment_info: z.looseObject({ env_probe: z.record(z.string(), z.string()) }) });
const runFile = z.object({
  environment_info: z.looseObject({ env_probe: z.record(z.string(), z.string()) }),
  drift: z.array(z.looseObject({ kind: z.string(), field: z.string() })),
});

/** A task whose template brings the file `v`. */
function versioned(id: string, version: string): string {
  const files = `template_sources: [{type: starter_files, files: [{path: v, content: "tool ${version}\\nmore"}]}]`;
  return noneTask(id, 'success_criteria:\n  - {type: run_command, description: fine, command: "true"}\n').replace(
    "sandbox: {",
    `sandbox: {${files}, `,
  );
}

test("--env-probe records a version for each task, and what differs between tasks is told, after a rebuild too", async () => {
  await using project = await makeProject({
    "a.yaml": versioned("a", "1.10.0"),
    "b.yaml": versioned("b", "1.9.0"),
    "c.yaml": versioned("c", "1.9.0"),
  });
  const probes = ["--env-probe", "tool=cat v", "--env-probe", "absent=no-such-program-here -v"];
  const end = await runCli(["run", ".", "-o", "out", "-j", "1", ...probes], { cwd: project.dir });
  assert.equal(end.code, 0, end.stderr);
  const { environment_info: seen } = await project.readJson("out/default/b/00/task.json", taskFile);
  assert.equal(seen.env_probe.tool, "tool 1.9.0");
  assert.equal(seen.env_probe.absent, "Not Found");
  assert.ok("python" in seen.env_probe && "node" in seen.env_probe && "git" in seen.env_probe);
  const run = await project.readJson("out/run.json", runFile);
  assert.equal(run.environment_info.env_probe.tool, "tool 1.9.0 | tool 1.10.0");
  assert.deepEqual(run.drift, [
    {
      kind: "versions",
      field: "env_probe.tool",
      before: "tool 1.10.0",
      now: "tool 1.9.0",
      set_by: null,
      benign: false,
      rows: 1,
      tasks: ["a"],
    },
  ]);
  const again = await runCli(["report", "out", "--rebuild"], { cwd: project.dir });
  assert.equal(again.code, 0, again.stderr);
  assert.deepEqual(await project.readJson("out/run.json", runFile), run);
});

test("a probe that cannot be read is a wrong usage, told with what was meant", async () => {
  await using project = await makeProject({ "a.yaml": versioned("a", "1.0.0") });
  const end = await runCli(["run", ".", "--env-probe", "java: java -version"], { cwd: project.dir });
  assert.equal(end.code, 2);
  assert.match(end.stderr, /--env-probe .*expected NAME=COMMAND, got 'java: java -version'; did you mean 'java=java -version'\?/);
});
