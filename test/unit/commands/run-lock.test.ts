import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { lockRunDir } from "../../../src/commands/run-lock.ts";
import { EnvironmentError, InputError } from "../../../src/errors.ts";
import { currentOwner } from "../../../src/sandbox/docker/owner.ts";
import { temporaryDirectory } from "../results/fixtures.ts";

const isBusy = (error: unknown): boolean => error instanceof InputError && error.code === "run-dir-busy";

/** A process that lived on this machine: its number is ours, its start is not. */
const deadOwner = () => ({ ...currentOwner(), startedAt: "1" });
const elsewhere = () => ({ ...currentOwner(), host: "another-machine" });

test("a directory is held once, and leaves nothing behind when it is let go", async () => {
  using place = temporaryDirectory();
  const unlock = await lockRunDir(place.path);
  assert.deepEqual(readdirSync(place.path), ["run.lock"]);
  await assert.rejects(lockRunDir(place.path), isBusy);
  await unlock();
  assert.deepEqual(readdirSync(place.path), []);
  await (await lockRunDir(place.path))();
});

test("the mark of a process whose number another one has now is taken over", async () => {
  using place = temporaryDirectory();
  writeFileSync(join(place.path, "run.lock"), JSON.stringify(deadOwner()));
  const unlock = await lockRunDir(place.path);
  assert.equal(JSON.parse(readFileSync(join(place.path, "run.lock"), "utf8")).startedAt, currentOwner().startedAt);
  await unlock();
  assert.deepEqual(readdirSync(place.path), []);
});

test("of many that find a dead one's mark in the same moment one holds the directory", async () => {
  using place = temporaryDirectory();
  writeFileSync(join(place.path, "run.lock"), JSON.stringify(deadOwner()));
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => lockRunDir(place.path)));
  assert.deepEqual(ends.map(({ status }) => status).sort(), ["fulfilled", ...Array(7).fill("rejected")]);
  assert.deepEqual(readdirSync(place.path), ["run.lock"]);
});

test("the mark of another machine is respected while it is touched, and taken over when it has been silent for long", async () => {
  using place = temporaryDirectory();
  const lock = join(place.path, "run.lock");
  writeFileSync(lock, JSON.stringify(elsewhere()));
  await assert.rejects(
    lockRunDir(place.path),
    (error) => isBusy(error) && error instanceof Error && /on another-machine/.test(error.message),
  );
  assert.deepEqual(readdirSync(place.path), ["run.lock"]);
  const longAgo = new Date(Date.now() - 3_600_000);
  utimesSync(lock, longAgo, longAgo);
  await (await lockRunDir(place.path))();
});

test("whatever else has the name of the mark holds nobody up: half a file, a directory, a link", async () => {
  const makers: ((path: string) => void)[] = [
    (path) => writeFileSync(path, "{"),
    (path) => {
      mkdirSync(path);
      writeFileSync(join(path, "x"), "");
    },
    (path) => symlinkSync("/nowhere", path),
  ];
  for (const make of makers) {
    using place = temporaryDirectory();
    make(join(place.path, "run.lock"));
    await (await lockRunDir(place.path))();
    assert.deepEqual(readdirSync(place.path), []);
  }
});

test("where there are no hard links, as on shared folders and FAT, a directory is held all the same", async () => {
  for (const code of ["EPERM", "ENOTSUP", "ENOSYS"]) {
    using place = temporaryDirectory();
    const files = { link: () => Promise.reject(Object.assign(new Error("no links here"), { code })) };
    const unlock = await lockRunDir(place.path, files);
    assert.deepEqual(readdirSync(place.path), ["run.lock"]);
    await assert.rejects(lockRunDir(place.path, files), isBusy);
    await assert.rejects(lockRunDir(place.path), isBusy);
    await unlock();
    assert.deepEqual(readdirSync(place.path), []);
    writeFileSync(join(place.path, "run.lock"), JSON.stringify(deadOwner()));
    await (await lockRunDir(place.path, files))();
    assert.deepEqual(readdirSync(place.path), []);
  }
});

test("who has lost the directory to another machine does not take it from that when it ends", async () => {
  using place = temporaryDirectory();
  const unlock = await lockRunDir(place.path);
  writeFileSync(join(place.path, "run.lock"), JSON.stringify(elsewhere()));
  await unlock();
  await assert.rejects(lockRunDir(place.path), isBusy);
});

test("a directory that is gone is an error of the machine, with the path", async () => {
  using place = temporaryDirectory();
  await assert.rejects(
    lockRunDir(join(place.path, "gone")),
    (error) => error instanceof EnvironmentError && /run\.lock/.test(error.message),
  );
});

test("a living process's mark that came in between is put back, also where the file system knows no hard links", async () => {
  for (const code of [undefined, "EPERM"]) {
    using place = temporaryDirectory();
    const lock = join(place.path, "run.lock");
    writeFileSync(lock, JSON.stringify(deadOwner()));
    const living = JSON.stringify(currentOwner());
    let swapped = false;
    const files = {
      ...(code === undefined ? {} : { link: () => Promise.reject(Object.assign(new Error("no hard links"), { code })) }),
      async rename(from: string, to: string) {
        // Another process takes the dead one's mark over in the moment before we would.
        if (!swapped) {
          renameSync(lock, `${lock}.other`);
          writeFileSync(lock, living);
        }
        swapped = true;
        renameSync(from, to);
      },
    };
    await assert.rejects(lockRunDir(place.path, files), isBusy);
    assert.ok(swapped);
    assert.equal(readFileSync(lock, "utf8"), living);
    assert.deepEqual(readdirSync(place.path).sort(), ["run.lock", "run.lock.other"]);
  }
});
