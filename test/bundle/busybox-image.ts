import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const tag = "evalbatch-bundle-test:1";

/**
 * A small image made of the machine's static busybox, without a registry.
 * @returns its name, or why there is none
 */
export function busyboxImage(): { readonly tag: string } | { readonly missing: string } {
  if (spawnSync("docker", ["version"], { timeout: 20_000 }).status !== 0) return { missing: "no Docker engine answers" };
  if (spawnSync("docker", ["image", "inspect", tag]).status === 0) return { tag };
  if (!existsSync("/bin/busybox")) return { missing: "no static busybox for a Docker image (Debian: busybox-static)" };
  const tree = mkdtempSync(join(tmpdir(), "evalbatch-busybox-"));
  try {
    for (const path of ["bin", "tmp", "etc"]) mkdirSync(join(tree, path));
    copyFileSync("/bin/busybox", join(tree, "bin/busybox"));
    const applets = execFileSync("/bin/busybox", ["--list"], { encoding: "utf8" }).trim().split("\n");
    for (const applet of applets) if (applet !== "busybox") symlinkSync("busybox", join(tree, "bin", applet));
    const archive = execFileSync("tar", ["-C", tree, "-c", "."], { maxBuffer: 64 * 1024 * 1024 });
    execFileSync("docker", ["import", "-", tag], { input: archive, stdio: ["pipe", "ignore", "inherit"] });
    return { tag };
  } finally {
    rmSync(tree, { recursive: true });
  }
}
