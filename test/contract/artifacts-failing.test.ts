import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { startResultsService } from "../fakes/results-service.ts";
import { assertFailed, environment, envOf, service, tree, upload } from "./artifact-harness.ts";

test("gives up when name after name is taken", async (t) => {
  const conflict = { status: 409, message: "an artifact with this name already exists" };
  const at = await service(t, { faults: { CreateArtifact: Array.from({ length: 6 }, () => conflict) } });
  const names = /this run has artifacts named "results", "results-2", .*"results-5", "results-[0-9a-f]{8}" already; give every job/;
  assertFailed(await upload(at, tree(t, { "run.json": "{}" })), names);
  assert.equal(at.requests.length, 6);
});

test("tells what to do when the storage is full", async (t) => {
  const at = await service(t, { faults: { CreateArtifact: [{ status: 403, message: "insufficient usage to create artifact" }] } });
  assertFailed(await upload(at, tree(t, { "run.json": "{}" })), /storage for artifacts is used up; delete old artifacts/);
  assert.equal(at.requests.length, 1);
});

test("says what the service answered when it refuses", async (t) => {
  const at = await service(t, { faults: { CreateArtifact: [{ status: 400, message: "too many artifacts" }] } });
  assertFailed(
    await upload(at, tree(t, { "run.json": "{}" })),
    /CreateArtifact: Failed request: \(400\) Bad Request: too many artifacts; the files are still/,
  );
});

test("says that the token is not the runner's", async (t) => {
  const at = await service(t);
  for (const token of ["made-up", "e30.e30.x", `${at.token}x`])
    assertFailed(
      await upload(at, tree(t, { a: "" }), { env: { ...envOf(at), ACTIONS_RUNTIME_TOKEN: token } }),
      /; the token for artifacts .* come from the runner/,
    );
  assertFailed(
    await upload(at, tree(t, { a: "" }), { env: { ...envOf(at), ACTIONS_RESULTS_URL: "nonsense" } }),
    /Invalid URL; the token .* and its address come from the runner/,
  );
});

test("gives up on a block that is never taken", async (t) => {
  const at = await service(t, { faults: { PutBlock: ["stall"] } });
  const env = { ...envOf(at), ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS: "200" };
  assertFailed(await upload(at, tree(t, { "run.json": "{}" }), { env }), /the upload stood still; re-run/);
});

test("says which hosts must be reached when none is", async (t) => {
  const at = await startResultsService();
  await at.close();
  assertFailed(await upload(at, tree(t, { "run.json": "{}" })), /ECONNREFUSED; let the runner reach \*\.actions\.githubusercontent\.com/);
});

test("never shows the signature of a blob's address", async (t) => {
  const at = await service(t, { faults: { PutBlock: [{ status: 403, message: "refused" }] } });
  const seen: string[] = [];
  const end = await upload(at, tree(t, { "run.json": "{}" }), { log: (line) => void seen.push(line) });
  assertFailed(end, /refused/);
  assert.ok(
    seen.some((line) => line.includes("sig=…")),
    "the log has no address at all",
  );
  const all = [...seen, "why" in end ? end.why : ""].join("\n");
  for (const form of [at.signature, encodeURIComponent(at.signature)]) assert.ok(!all.includes(form));
});

test("does not try on an enterprise server", async (t) => {
  const at = await service(t);
  const end = await upload(at, tree(t, { a: "" }), { environment: { ...environment, serverUrl: "https://user:secret@ghes.example/x" } });
  assert.equal(end.kind, "unavailable");
  assert.match("why" in end ? end.why : "", /^https:\/\/ghes\.example is an enterprise server.*upload-artifact@v3.*outputs\.run-dir/);
  assert.equal(at.requests.length, 0);
});

test("tells what to do where the runner gives no token", async (t) => {
  const at = await service(t);
  for (const name of ["ACTIONS_RUNTIME_TOKEN", "ACTIONS_RESULTS_URL"]) {
    const end = await upload(at, tree(t, { a: "" }), { env: { ...envOf(at), [name]: "" } });
    assert.equal(end.kind, "unavailable");
    assert.match("why" in end ? end.why : "", new RegExp(`^there is no ${name}: .*actions/upload-artifact`));
  }
  assert.equal(at.requests.length, 0);
});

test("creates no artifact without a file", async (t) => {
  const at = await service(t);
  assertFailed(await upload(at, { ...tree(t, {}), files: [] }), /there is no file to upload/);
  assert.equal(at.requests.length, 0);
});

test("sends no file of another place, whoever chose the files", async (t) => {
  const at = await service(t);
  const secret = tree(t, { secret: "s3cret", "dir/secret": "s3cret" });
  const { rootDir } = tree(t, { "run.json": "{}" });
  symlinkSync(join(secret.rootDir, "secret"), join(rootDir, "link"));
  symlinkSync(join(secret.rootDir, "dir"), join(rootDir, "dir"));
  mkdirSync(`${rootDir}-next`);
  t.after(() => rmSync(`${rootDir}-next`, { recursive: true }));
  writeFileSync(`${rootDir}-next/file`, "s3cret");
  const places = [
    join(rootDir, "link"),
    join(rootDir, "dir/secret"),
    join(rootDir, "../x"),
    `${rootDir}-next/file`,
    rootDir,
    join(secret.rootDir, "secret"),
  ];
  for (const place of places)
    assertFailed(await upload(at, { rootDir, files: [join(rootDir, "run.json"), place] }), /is no regular file of its folder|no such file/);
  assert.equal(at.requests.length, 0);
});

test("survives a file that cannot be read, of which the client throws out of an event", {
  skip: process.platform === "linux" ? false : "needs a file that opens and then fails",
}, async (t) => {
  const at = await service(t);
  const rootDir = `/proc/${process.pid}`;
  assertFailed(await upload(at, { rootDir, files: [join(rootDir, "mem")] }), /zip/);
});

test("returns at once when the job is stopped, and leaves no request open", async (t) => {
  const at = await service(t, { faults: { CreateArtifact: ["stall"] } });
  const controller = new AbortController();
  const ending = upload(at, tree(t, { a: "" }), { signal: controller.signal });
  await at.asked("CreateArtifact");
  controller.abort();
  assertFailed(await ending, /stopped/);
  await at.leftAlone;
});

test("starts nothing for a job that is stopped already", async (t) => {
  const at = await service(t);
  assertFailed(await upload(at, tree(t, { a: "" }), { signal: AbortSignal.abort() }), /stopped/);
  assert.equal(at.requests.length, 0);
});

test("ends in time, whatever the service does", async (t) => {
  const at = await service(t, { faults: { CreateArtifact: ["stall"] } });
  assertFailed(await upload(at, tree(t, { a: "" }), { deadlineMs: 2000 }), /it took longer than 2 s; /);
  // On a busy machine the time may be over before the client has asked at all.
  if (at.requests.length > 0) await at.leftAlone;
});
