import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import test from "node:test";
import { checkDiskSpace, judgeFreeBytes } from "../../../src/run/disk-space.ts";

const mib = 1024 * 1024;

test("no start below 100 MiB, a warning below 1 GiB", () => {
  assert.equal(judgeFreeBytes(99 * mib).kind, "full");
  assert.equal(judgeFreeBytes(100 * mib).kind, "low");
  assert.equal(judgeFreeBytes(1024 * mib).kind, "enough");
});

test("a directory that can't be asked about does not stop a run", () => {
  assert.equal(checkDiskSpace("/no/such/directory").kind, "enough");
  assert.ok(["enough", "low", "full"].includes(checkDiskSpace(tmpdir()).kind));
});
