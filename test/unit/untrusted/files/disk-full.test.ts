import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../../src/errors.ts";
import { createStagedFile, orStagingError } from "../../../../src/untrusted/files/staged-file.ts";
import { makePlace, put } from "./trees.ts";

test("what the disk refuses becomes an error that says what to do", () => {
  const failing = (code: string) => () => {
    throw Object.assign(new Error(`${code}: refused`), { code });
  };
  const isFull = (error: unknown): boolean =>
    error instanceof EnvironmentError &&
    error.code === "disk-full" &&
    /no space left.*\/x\/y/.test(error.message) &&
    error.hint !== undefined;
  assert.throws(() => orStagingError("/x/y", failing("ENOSPC")), isFull);
  assert.throws(() => orStagingError("/x/y", failing("EDQUOT")), isFull);
  assert.throws(
    () => orStagingError("/x/y", failing("EROFS")),
    (error) => error instanceof EnvironmentError && error.code === "cannot-write" && error.hint !== undefined,
  );
});

test("nothing that lies in staging already is written over", () => {
  using place = makePlace();
  put(join(place.staging, "a"), "x");
  assert.throws(() => createStagedFile(join(place.staging, "a"), 10), EnvironmentError);
});

/** Stages in a file system of 256 KiB, then prints what there is. */
const script = `
import { stageFiles } from ${JSON.stringify(join(import.meta.dirname, "../../../../src/untrusted/files/stage.ts"))};
import { createRedactor } from ${JSON.stringify(join(import.meta.dirname, "../../../../src/untrusted/redact.ts"))};
const [root, staging] = process.argv.slice(1);
const limits = { fileBytes: 1e9, totalBytes: 1e9, files: 100, groupBytes: 1e9, groupFiles: 100 };
const select = (path) => ({ kind: "take", rank: path === "z.json" ? 0 : 1 });
const staged = await stageFiles({ root, staging, select, redactor: createRedactor([]), limits });
console.log(JSON.stringify(staged));
`;

function inSmallFileSystem(mountPoint: string, command: readonly string[]) {
  const mount = `mount -t tmpfs -o size=256k tmpfs "$0" && exec "$@"`;
  return spawnSync("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", mount, mountPoint, ...command], { encoding: "utf8" });
}

test("a disk that gets full while files are copied loses the last ones only", (context) => {
  using place = makePlace({ "z.json": "{}", "a.bin": "x".repeat(100_000), "b.bin": "y".repeat(400_000), "c.txt": "z" });
  mkdirSync(join(place.outside, "probe"));
  if (inSmallFileSystem(join(place.outside, "probe"), ["true"]).status !== 0) return context.skip("this system lets nobody mount");
  const { stdout, stderr, status } = inSmallFileSystem(place.staging, [
    process.execPath,
    "--input-type=module-typescript",
    "--eval",
    script,
    place.root,
    place.staging,
  ]);
  assert.equal(status, 0, stderr);
  const staged: unknown = JSON.parse(stdout);
  assert.partialDeepStrictEqual(staged, {
    files: ["z.json", "a.bin", "evalbatch-files.json"].map((name) => join(place.staging, name)),
    manifest: {
      left_out: [
        { path: "b.bin", reason: "disk full", bytes: 400_000 },
        { path: "c.txt", reason: "disk full", bytes: 1 },
      ],
    },
  });
});
