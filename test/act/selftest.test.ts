import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { noBundle } from "../bundle/action-process.ts";
import { busyboxImage } from "../bundle/busybox-image.ts";
import { startRestApi } from "../fakes/rest-api.ts";
import { startResultsService } from "../fakes/results-service.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { act, containersOf, newRunId, runWorkflow, watchContainers } from "./act.ts";
import { commitAll, copyAction, copyOwnFiles, pullRequestEvent, root, temporaryDirectory } from "./repository.ts";

const image = busyboxImage();
const skip = "missing" in act ? act.missing : noBundle !== false ? noBundle : "missing" in image ? image.missing : false;
const fullName = "octo-org/evalbatch";

test("the jobs of selftest.yml end well: passing, failing, cut short, and the artifact downloaded again", { skip }, async (t) => {
  const directory = temporaryDirectory(t);
  const repository = join(directory, "evalbatch");
  mkdirSync(repository);
  copyAction(repository);
  copyOwnFiles(repository, ["package.json", "examples", ".github/workflows/selftest.yml", "scripts/ci", "test/fixtures/selftest"]);
  const { sha } = commitAll(repository, fullName);
  const runId = newRunId();
  const images = ["passing", "failing", "cancelled"].map((job) => `evalbatch-selftest-${job}:${runId}`);
  t.after(() => void spawnSync("docker", ["image", "rm", "--force", ...images]));
  const service = await startResultsService();
  t.after(() => service.close());
  await using api = await startRestApi({ repository: { fullName } });
  using watch = watchContainers(() => images);

  const end = await runWorkflow(
    {
      repository,
      workflow: ".github/workflows/selftest.yml",
      event: pullRequestEvent(fullName, sha, 12),
      // Fetched by act from GitHub, and then from the service through a client inside of it.
      actions: { "actions/download-artifact@3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c": join(root, "test/act/download-artifact") },
      service,
      api,
      runId,
      env: { ARTIFACT_CLIENT: import.meta.resolve("@actions/artifact") },
    },
    directory,
  );

  const results = Object.fromEntries(end.jobs.map((job) => [job.id, job.result]));
  const good = { passing: "success", failing: "success", cancelled: "success", artifact: "success", all: "success" };
  assert.deepEqual(results, good, end.jobs.map((job) => job.log).join("\n"));
  assert.equal(end.exitCode, 0);
  for (const job of end.jobs.filter(({ id }) => ["passing", "failing", "cancelled"].includes(id))) {
    assert.equal(job.steps.get("./"), job.id === "failing" || job.id === "passing" ? "success" : "failure", `${job.id}: ${job.log}`);
    assert.equal(job.steps.get("Post ./"), "success", job.log);
    assert.equal(job.steps.get("No container is left"), "success", job.log);
  }
  const [hello, fails] = ["default/hello-file/00", "default/fails-on-purpose/00"];
  const passing = [hello, ...["reads-its-prompt", "starter-files", "no-agent"].map((id) => `default/${id}/00`)];
  const cancelled = [hello, "default/ignores-signals/00", "default/ignores-signals-too/00"];
  assert.deepEqual(watch.started().toSorted(), [...passing, hello, fails, hello, fails, ...cancelled].sort());
  for (const name of images) assert.deepEqual(containersOf(name), []);

  assert.equal(service.artifacts.size, 4, [...service.artifacts.keys()].join(", "));
  for (const artifact of service.artifacts.values()) assert.ok(readZip(artifact.content).has("run.json"), artifact.name);
  assert.deepEqual(
    api.repository.comments.map(({ issue }) => issue),
    [12],
  );
  const [comment] = api.repository.comments;
  assert.match(comment?.body ?? "", /passed/);
});
