import { execFileSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Runs `work` with a file system of 1 MiB of its own; where none can be mounted the test is skipped. */
export async function withTinyDisk(t: TestContext, work: (directory: string) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "tiny-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", directory], { stdio: "ignore" });
  } catch {
    rmdirSync(directory);
    t.skip("a file system can be mounted by root only");
    return;
  }
  try {
    await work(directory);
  } finally {
    execFileSync("umount", [directory]);
    rmdirSync(directory);
  }
}
