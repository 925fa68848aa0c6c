import assert from "node:assert/strict";
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { artifactName } from "../../src/github/artifact-name.ts";
import { uploadArtifact } from "../../src/github/artifacts.ts";
import { startResultsService } from "../fakes/results-service.ts";
import { assertUploaded, environment, envOf, service, tree } from "./artifact-harness.ts";
import { ask, assertFound, assertNone, originFor, restApi, runId, runZip } from "./earlier-run-harness.ts";

const first = runZip(originFor({ attempt: 1 }));

test("what attempt 1 uploaded is what attempt 2 goes on from", async (t) => {
  const at = await service(t);
  const files = tree(t, {
    "plan.json": JSON.stringify({ run_id: "r", tasks: [], origin: originFor({ attempt: 1 }) }),
    "default/a/00/task.json": '{"a":1}',
    "default/a/00/task.log": "line\n",
    "run.md": "# Run",
  });
  const name = artifactName({ job: "evals", attempt: 1 });
  const uploaded = await uploadArtifact({ name, ...files }, { environment, env: envOf(at) });
  assertUploaded(uploaded);
  const asked = await ask(t, { at });
  const { source, notes } = assertFound(asked);
  assert.deepEqual(source, {
    kind: "artifact",
    artifact: "evalbatch-evals-1",
    url: `https://github.com/octo-org/evals/actions/runs/7/artifacts/${uploaded.id}`,
    workflow_run_id: "7",
    workflow_run_attempt: 1,
  });
  assert.deepEqual(notes, []);
  assert.deepEqual(readdirSync(asked.into).sort(), ["default", "plan.json", "run.md"]);
  assert.equal(statSync(asked.into).mode & 0o777, 0o755);
  assert.ok(asked.told.includes("Downloading raw file"), asked.told);
});

test("nothing of a blob's address is told", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }] });
  const asked = await ask(t, { at });
  assertFound(asked);
  assert.ok(asked.told.includes("sig=…"), "the log has no address at all");
  for (const form of [at.signature, encodeURIComponent(at.signature)]) assert.ok(!asked.told.includes(form));
});

test("a first attempt asks nobody", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }] });
  for (const mode of ["auto", "true"] as const)
    assertNone(await ask(t, { at, request: { mode, origin: originFor({ attempt: 1 }) } }), /first attempt/);
  assert.equal(at.requests.length, 0);
});

test("takes the newest attempt, by its time and not by its place in the list", async (t) => {
  const stored = [
    { name: "evalbatch-evals-2", content: runZip(originFor({ attempt: 2 })), createdAt: "2026-11-02T00:00:00Z" },
    { name: "evalbatch-evals-3", content: runZip(originFor({ attempt: 3 })), createdAt: "2026-11-03T00:00:00Z" },
    { name: "evalbatch-evals-1", content: first, createdAt: "2026-11-01T00:00:00Z" },
  ];
  const at = await service(t, { stored });
  const { source } = assertFound(await ask(t, { at, request: { origin: originFor({ attempt: 4 }) } }));
  assert.equal(source.workflow_run_attempt, 3);
  assert.equal(at.requests.filter(({ place }) => place === "GetBlob").length, 1);
});

test("a name that is given is the same in every attempt, and the service keeps each attempt's for itself", async (t) => {
  const stored = [
    { name: "results", content: runZip(originFor({ attempt: 1 })), attempt: "4709", createdAt: "2026-11-01T00:00:00Z" },
    { name: "results", content: runZip(originFor({ attempt: 2 })), attempt: "4710", createdAt: "2026-11-02T00:00:00Z" },
    { name: "results", content: runZip(originFor({ attempt: 3 })), createdAt: "2026-11-03T00:00:00Z" },
  ];
  const at = await service(t, { stored });
  const { source, notes } = assertFound(
    await ask(t, { at, request: { name: { given: "results", job: "evals" }, origin: originFor({ attempt: 3 }) } }),
  );
  assert.equal(source.workflow_run_attempt, 2);
  assert.deepEqual(notes, ['artifact "results" was not used: it is of no earlier attempt']);
});

test("an artifact whose wanted name was taken is found under its number", async (t) => {
  for (const name of ["evalbatch-evals-1-2", "evalbatch-evals-1-0a1b2c3d"]) {
    const at = await service(t, { stored: [{ name, content: first }] });
    assert.equal(assertFound(await ask(t, { at })).source.artifact, name);
  }
});

test("looks at no artifact whose name is not one of this job's", async (t) => {
  const names = [
    "evalbatch-evals-2",
    "evalbatch-other-1",
    "evalbatch-evals-1-6",
    "evalbatch-evals-1-x",
    "evalbatch-evals-11",
    "results",
    "evalbatch-evals-linux-abc123-1",
  ];
  const at = await service(t, { stored: names.map((name) => ({ name, content: first })) });
  assertNone(await ask(t, { at }), /no artifact with results of this job was found from an earlier attempt: with `upload: none`/);
  assert.deepEqual(
    at.requests.map(({ place }) => place),
    ["ListArtifacts"],
  );
});

test("passes over what is broken, says why, and takes the next", async (t) => {
  const stored = [
    { name: "evalbatch-evals-1", content: first, createdAt: "2026-11-01T00:00:00Z" },
    {
      name: "evalbatch-evals-2",
      content: runZip(originFor({ attempt: 2 })),
      digest: `sha256:${"0".repeat(64)}`,
      createdAt: "2026-11-02T00:00:00Z",
    },
    { name: "evalbatch-evals-3", content: first.subarray(0, 100), createdAt: "2026-11-03T00:00:00Z" },
    {
      name: "evalbatch-evals-4",
      content: runZip(originFor({ attempt: 4 }), [{ name: "../../evil", content: "x" }]),
      createdAt: "2026-11-04T00:00:00Z",
    },
    {
      name: "evalbatch-evals-5",
      content: runZip(originFor({ attempt: 5 }), [{ name: "run.json", content: "x", claims: { crc: 1 } }]),
      createdAt: "2026-11-05T00:00:00Z",
    },
    { name: "evalbatch-evals-6", content: Buffer.from("<html>"), createdAt: "2026-11-06T00:00:00Z" },
  ];
  const at = await service(t, { stored });
  const { source, notes } = assertFound(await ask(t, { at, request: { origin: originFor({ attempt: 7 }) } }));
  assert.equal(source.workflow_run_attempt, 1);
  const reasons = [
    /-6" was not used: it cannot be unpacked/,
    /-5" was not used: the checksum of "run\.json"/,
    /-4" was not used: it cannot be unpacked: "invalid relative path/,
    /-3" was not used: .*truncated/,
    /-2" was not used: .*digest/,
  ];
  assert.equal(notes.length, reasons.length);
  for (const [index, pattern] of reasons.entries()) assert.match(notes[index] ?? "", pattern);
});

test("an artifact of which no digest is told is checked by its checksums alone", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first, digest: null }] });
  assertFound(await ask(t, { at }));
});

test("downloads nothing that is larger than any upload of ours", async (t) => {
  const at = await service(t, { faults: { ListArtifacts: [] } });
  const api = await restApi(t, { repository: { runs: [{ id: runId, artifacts: [{ id: 1, name: "evalbatch-evals-1", bytes: 1e12 }] }] } });
  assertNone(await ask(t, { at, api }), /1000000000000 bytes, more than any artifact of ours/);
});

test("tells what the artifact lacks", async (t) => {
  const left_out = ["default/b/00/task.json", "default/c/00/task.json", "default/c/00/task.log"].map((path) => ({
    path,
    reason: "file too large",
    bytes: 1,
  }));
  const entries = [
    { name: "evalbatch-files.json", content: JSON.stringify({ left_out }) },
    { name: "surprise.sh", content: "x" },
  ];
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: runZip(originFor({ attempt: 1 }), entries) }] });
  const asked = await ask(t, { at });
  const { notes } = assertFound(asked);
  assert.match(notes.join("\n"), /^1 files of artifact .* belong to no run directory.*\n2 results were too large .* run again$/);
  assert.deepEqual(readdirSync(asked.into).sort(), ["default", "evalbatch-files.json", "plan.json"]);
});

test("fills an empty directory, and touches none with something in it", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }] });
  const { rootDir } = tree(t, {});
  const into = join(rootDir, "out");
  mkdirSync(into);
  assertFound(await ask(t, { at, request: { into } }));
  const asked = at.requests.length;
  assertNone(await ask(t, { at, request: { into } }), /is not empty/);
  writeFileSync(join(rootDir, "file"), "");
  assertNone(await ask(t, { at, request: { into: join(rootDir, "file") } }), /is not empty/);
  assert.equal(at.requests.length, asked);
});

test("an artifact that went away in between is told so", async (t) => {
  const at = await service(t, {
    stored: [{ name: "evalbatch-evals-1", content: first }],
    faults: { GetSignedArtifactURL: [{ status: 404, message: "artifact not found" }] },
  });
  assertNone(await ask(t, { at }), /"evalbatch-evals-1" was not used: it was deleted or has expired; a longer `retention-days`/);
});

test("a service that has trouble once is asked again, for the list and for the file", { timeout: 60_000 }, async (t) => {
  const faults = { ListArtifacts: [{ status: 500, message: "try later" }], GetBlob: [{ status: 503, message: "try later" }] };
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }], faults });
  assertFound(await ask(t, { at }));
});

test("ends in time and without a trace when the file never comes, or not all of it", async (t) => {
  for (const fault of ["stall", "cut"] as const) {
    const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }], faults: { GetBlob: [fault] } });
    assertNone(await ask(t, { at, deps: { deadlineMs: 2000 } }), /it took longer than 2 s/);
  }
});

test("returns at once when the job is stopped", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }], faults: { GetBlob: ["stall"] } });
  const controller = new AbortController();
  const asking = ask(t, { at, deps: { signal: controller.signal } });
  await at.asked("GetBlob");
  controller.abort();
  assertNone(await asking, /stopped/);
  await at.leftAlone;
  assertNone(await ask(t, { at, deps: { signal: AbortSignal.abort() } }), /stopped/);
});

test("says what to do where no artifact can be had", async (t) => {
  const at = await startResultsService();
  await at.close();
  assertNone(await ask(t, { at }), /could not be listed: .*ECONNREFUSED; let the runner reach/);
  assertNone(await ask(t, {}), /there is no ACTIONS_RUNTIME_TOKEN and no ACTIONS_RESULTS_URL/);
  const environment = { serverUrl: "https://a:b@ghes.example", apiUrl: "https://ghes.example/api/v3", tempDir: undefined };
  assertNone(await ask(t, { at, deps: { environment } }), /^https:\/\/ghes\.example is an enterprise server/);
});

test("a directory that cannot be made is no exception", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: first }] });
  const { rootDir } = tree(t, { file: "" });
  assertNone(await ask(t, { at, request: { into: join(rootDir, "file/run") } }), /could not be fetched|is not empty/);
});
