import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import test from "node:test";
import { digestOf } from "../fakes/artifact-store.ts";
import { readZip } from "../fakes/zip-reader.ts";
import { assertUploaded, environment, envOf, service, tree, upload } from "./artifact-harness.ts";

test("asks for the artifact in the words of the service, with its retention", async (t) => {
  const at = await service(t);
  const end = await upload(at, { ...tree(t, { "run.json": "{}" }), retentionDays: 5 });
  assertUploaded(end);
  const [create, , , finalize] = at.requests;
  const { expires_at, ...body } = Object(create?.body);
  assert.deepEqual(body, {
    workflow_run_backend_id: "4711",
    workflow_job_run_backend_id: "1147",
    name: "results",
    version: 7,
    mime_type: "application/zip",
  });
  const days = (Date.parse(expires_at) - Date.now()) / 86_400_000;
  assert.ok(days > 4.9 && days < 5.1, `expires in ${days} days`);
  assert.deepEqual(
    at.requests.map(({ place }) => place),
    ["CreateArtifact", "PutBlock", "PutBlockList", "FinalizeArtifact"],
  );
  assert.equal(create?.authorization, `Bearer ${at.token}`);
  assert.deepEqual(finalize?.body, {
    workflow_run_backend_id: "4711",
    workflow_job_run_backend_id: "1147",
    name: "results",
    size: String(end.bytes),
    hash: end.digest,
  });
});

test("leaves the retention to the repository when none is given", async (t) => {
  const at = await service(t);
  assertUploaded(await upload(at, tree(t, { "run.json": "{}" })));
  assert.ok(!("expires_at" in Object(at.requests[0]?.body)));
});

test("says when the repository keeps artifacts for a shorter time", async (t) => {
  const at = await service(t, { taken: ["results"] });
  const env = { ...envOf(at), GITHUB_RETENTION_DAYS: "3" };
  const end = await upload(at, { ...tree(t, { "run.json": "{}" }), retentionDays: 90 }, { env });
  assertUploaded(end);
  assert.equal(end.notes.length, 2);
  assert.match(end.notes[1] ?? "", /^Retention days .* Using 3 instead\.$/);
});

test("puts the files into the artifact byte for byte, and tells where it is", async (t) => {
  const at = await service(t);
  const content = {
    "run.json": "{}",
    "default/ä task/00/task.log": "line\n",
    empty: "",
    "a/b/c/d.bin": randomBytes(100_000),
    "spaces and (more), #1.txt": "x",
    ".hidden/.file": "y",
  };
  const end = await upload(at, tree(t, content));
  assertUploaded(end);
  const stored = at.artifacts.get("results");
  assert.ok(stored?.finalized);
  assert.equal(stored.contentType, "application/zip");
  const { digest, bytes, ...rest } = end;
  assert.deepEqual(rest, {
    kind: "uploaded",
    name: "results",
    id: stored.id,
    url: `https://github.com/octo/evals/actions/runs/7/artifacts/${stored.id}`,
    notes: [],
  });
  assert.equal(digest, digestOf(stored));
  assert.equal(bytes, stored.content.length);
  const wanted = Object.entries(content).map(([path, bytes]): [string, Buffer] => [path, Buffer.from(bytes)]);
  assert.deepEqual(new Map([...readZip(stored.content)].sort()), new Map(wanted.sort()));
});

test("sends large files as blocks at the same time, in any order", async (t) => {
  // Two full blocks at a time; the client keeps the rest back until they are through.
  const at = await service(t, { blocksAtOnce: 2 });
  const large = randomBytes(17 * 1024 * 1024);
  const env = { ...envOf(at), ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: "30000" };
  const end = await upload(at, tree(t, { "large.bin": large }), { env });
  assertUploaded(end);
  const stored = at.artifacts.get("results");
  assert.ok(stored !== undefined);
  assert.deepEqual(
    stored.arrived,
    [1, 0, 2].map((index) => stored.listed[index]),
  );
  assert.ok(readZip(stored.content).get("large.bin")?.equals(large));
});

test("takes another name when the wanted one is taken, and says which was", async (t) => {
  const at = await service(t, { taken: ["results", "results-2"] });
  const end = await upload(at, tree(t, { "run.json": "{}" }));
  assertUploaded(end);
  assert.equal(end.name, "results-3");
  assert.ok(at.artifacts.get("results-3")?.finalized);
  assert.deepEqual(end.notes, [
    'this run has an artifact named "results", "results-2" already, so this one is "results-3"; give every job its own `artifact-name`',
  ]);
});

test("finds a free name where many jobs ask for the same", async (t) => {
  const names = ["results", ...[2, 3, 4, 5].map((count) => `results-${count}`)];
  const at = await service(t, { taken: names });
  const end = await upload(at, tree(t, { "run.json": "{}" }));
  assertUploaded(end);
  assert.match(end.name, /^results-[0-9a-f]{8}$/);
  for (const name of names) assert.ok(end.notes[0]?.includes(JSON.stringify(name)), name);
});

test("two jobs that ask for one name at the same time both get an artifact", async (t) => {
  const at = await service(t);
  const ends = await Promise.all(["a", "b"].map((job) => upload(at, tree(t, { job }))));
  const names = ends.map((end) => (end.kind === "uploaded" ? end.name : end.why));
  assert.deepEqual(names.sort(), ["results", "results-2"]);
});

test("tries again after an error of the service", async (t) => {
  const at = await service(t, { faults: { CreateArtifact: [{ status: 500, message: "try later" }] } });
  const end = await upload(at, tree(t, { "run.json": "{}" }));
  assertUploaded(end);
  assert.equal(end.name, "results");
  assert.deepEqual(
    at.requests.map(({ place }) => place),
    ["CreateArtifact", "CreateArtifact", "PutBlock", "PutBlockList", "FinalizeArtifact"],
  );
});

test("uploads from a tenant of GitHub's own cloud", async (t) => {
  const at = await service(t);
  const end = await upload(at, tree(t, { a: "" }), { environment: { ...environment, serverUrl: "https://octo.ghe.com" } });
  assertUploaded(end);
  assert.match(end.url, /^https:\/\/octo\.ghe\.com\/octo\/evals\//);
});

test("tells of a file that went away while it was sent", async (t) => {
  const files = tree(t, { "run.json": "{}", gone: "x" });
  const at = await service(t, { faults: { CreateArtifact: [() => unlinkSync(join(files.rootDir, "gone"))] } });
  const end = await upload(at, files);
  assertUploaded(end);
  assert.deepEqual([...readZip(at.artifacts.get("results")?.content ?? Buffer.alloc(0)).keys()], ["run.json"]);
  assert.match(end.notes.join("\n"), /No such file or directory/);
});

test("what is uploaded is what a later job downloads, and the log gets no line of it", async (t) => {
  const at = await service(t);
  const { rootDir, files } = tree(t, { "deep/run.json": '{"a":1}' });
  const target = tree(t, {}).rootDir;
  const child = spawn(process.execPath, [join(import.meta.dirname, "artifacts-child.ts"), rootDir, files[0] ?? "", target], {
    env: { ...envOf(at), GITHUB_REPOSITORY: "octo/evals", GITHUB_RUN_ID: "7", PATH: process.env.PATH },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = await text(child.stdout);
  const [first = "", ...rest] = output.split("\n");
  const end: unknown = JSON.parse(first);
  assert.deepEqual(Object(end).name, "results");
  const downloaded: unknown = JSON.parse(rest.findLast((line) => line.startsWith("{")) ?? "");
  assert.deepEqual(downloaded, { found: [{ id: Object(end).id, name: "results", size: Object(end).bytes }], digestMismatch: false });
  assert.equal(readFileSync(join(target, "deep/run.json"), "utf8"), '{"a":1}');
});
