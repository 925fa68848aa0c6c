import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import test from "node:test";
import { checkDiskSpace, judgeFreeBytes, spareBytes } from "../../../src/run/disk-space.ts";
import { withTinyDisk } from "../sandbox/tmpfs.ts";

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

test("a disk spares what was wanted, or what is free beyond a reserve, and never less than nothing", async (t) => {
  assert.equal(spareBytes(tmpdir(), 0), 0);
  assert.equal(spareBytes("/no/such/directory", 5), 5);
  await withTinyDisk(t, async (disk) => assert.equal(spareBytes(disk, 1024 * mib), 0));
});
