// `npm run pack [-- --out DIR] [--dist DIR]`: the command line as one npm package, evalbatch-<version>.tgz, which runs
// without any other: npx --yes --package ./evalbatch-<version>.tgz evalbatch plan examples/
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { packageFiles, packageManifest } from "./pack/manifest.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({
  options: { out: { type: "string", default: root }, dist: { type: "string", default: join(root, "dist") } },
});
const out = resolve(values.out);
const sources = { repository: root, dist: resolve(values.dist) };
const packed = z.tuple([z.looseObject({ filename: z.string(), files: z.array(z.looseObject({ path: z.string(), size: z.number() })) })]);

/** npm through the file that started us, where it did: on Windows `npm` alone is no program. */
function npm(args: readonly string[], cwd: string): string {
  const script = process.env.npm_execpath;
  const [command, first] = script === undefined ? ["npm", []] : [process.execPath, [script]];
  const { status, stdout, error } = spawnSync(command, [...first, ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (status !== 0) throw new Error(`npm ended with ${status}`, { cause: error });
  return stdout;
}

const staging = mkdtempSync(join(tmpdir(), "evalbatch-pack-"));
try {
  const manifest = packageManifest(JSON.parse(readFileSync(join(root, "package.json"), "utf8")));
  writeFileSync(join(staging, "package.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const { from, file, to } of packageFiles) {
    mkdirSync(dirname(join(staging, to)), { recursive: true });
    copyFileSync(join(sources[from], file), join(staging, to));
  }
  mkdirSync(out, { recursive: true });
  const [tarball] = packed.parse(JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", out], staging)));
  for (const { path, size } of tarball.files) process.stdout.write(`${String(Math.ceil(size / 1024)).padStart(6)} KiB  ${path}\n`);
  process.stdout.write(`${relative(process.cwd(), join(out, tarball.filename))}\n`);
} finally {
  rmSync(staging, { recursive: true, force: true });
}
