import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";

/** One door of the program as a single file. */
export interface Bundle {
  readonly code: string;
  /** Licence texts of the packages in it, as ncc lists them. */
  readonly licenses: string;
}

/** Assets that ncc writes beside every bundle. */
const expectedFiles = new Set(["index.js", "package.json", "licenses.txt"]);

/**
 * Bundles one emitted module and everything it imports.
 * @throws Error when the bundle would not run by itself: ncc ends with 0 on a missing module, and writes files that it
 * finds by a path in the code (native addons, schemas) beside the bundle
 */
export function bundleModule(root: string, entry: string): Bundle {
  const out = mkdtempSync(join(tmpdir(), "evalbatch-bundle-"));
  try {
    const ncc = join(root, "node_modules/@vercel/ncc/dist/ncc/cli.js");
    const args = [ncc, "build", entry, "-o", out, "--no-cache", "--license", "licenses.txt", "--quiet"];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`ncc ended with ${status} for ${relative(root, entry)}\n${stdout}${stderr}`);
    const unexpected = filesBelow(out).filter((file) => !expectedFiles.has(file));
    if (unexpected.length > 0) throw new Error(`the bundle of ${relative(root, entry)} needs files beside it: ${unexpected.join(", ")}`);
    const code = readFileSync(join(out, "index.js"), "utf8");
    const missing = /webpackMissingModule.{0,200}/.exec(code)?.[0];
    if (missing !== undefined) throw new Error(`the bundle of ${relative(root, entry)} lacks a module: ${missing}`);
    return { code, licenses: readFileSync(join(out, "licenses.txt"), "utf8") };
  } finally {
    rmSync(out, { recursive: true });
  }
}

/** Paths of all files below a directory, relative to it, POSIX, sorted. */
export function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((path) => statSync(join(directory, path)).isFile())
    .map((path) => path.split(sep).join("/"))
    .sort();
}
