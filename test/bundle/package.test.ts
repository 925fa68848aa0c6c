import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import test from "node:test";
import { z } from "zod";
import { oldestNode, packageFiles } from "../../scripts/pack/manifest.ts";
import { version } from "../../src/version.ts";
import { noBundle } from "./action-process.ts";

const root = join(import.meta.dirname, "../..");
const dist = process.env.EVALBATCH_DIST ?? join(root, "dist");
const manifestSchema = z.looseObject({ engines: z.object({ node: z.string() }) });

/** An empty folder with a HOME of its own and the packed command line, on a machine whose npm can reach nothing. */
function packed(t: { after(work: () => void): void }) {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-package-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  for (const path of ["home", "empty", "tarball"]) mkdirSync(join(directory, path));
  execFileSync(process.execPath, [join(root, "scripts/pack.ts"), "--out", join(directory, "tarball"), "--dist", dist], {
    encoding: "utf8",
  });
  const [tarball = "", ...more] = readdirSync(join(directory, "tarball"));
  assert.deepEqual([tarball, ...more], [`evalbatch-${version}.tgz`]);
  const env = {
    // npx runs the command by its first line, with the `node` that it finds.
    PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
    HOME: join(directory, "home"),
    npm_config_cache: join(directory, "home/cache"),
    npm_config_registry: "http://127.0.0.1:9",
    npm_config_update_notifier: "false",
  };
  return { cwd: join(directory, "empty"), tarball: join(directory, "tarball", tarball), env };
}

test("the package runs by npx from its tarball, in an empty folder and without a registry", { skip: noBundle }, (t) => {
  const { cwd, tarball, env } = packed(t);
  cpSync(join(root, "examples"), join(cwd, "examples"), { recursive: true });
  const npx = (...args: string[]) =>
    spawnSync("npx", ["--yes", "--package", tarball, "evalbatch", ...args], { cwd, env, encoding: "utf8", timeout: 120_000 });
  const plan = npx("plan", "examples/");
  assert.equal(plan.status, 0, plan.stdout + plan.stderr);
  assert.match(plan.stdout, /^hello-file\b/m);
  assert.equal(npx("--version").stdout, `${version}\n`);
  const wrong = npx("plan", "nothing-here/");
  assert.equal(wrong.status, 2, wrong.stdout + wrong.stderr);
});

test("the package holds the command line and its licences, needs no other package and runs nothing when installed", {
  skip: noBundle,
}, (t) => {
  const { cwd, tarball } = packed(t);
  execFileSync("tar", ["-xf", tarball], { cwd });
  const files = readdirSync(join(cwd, "package"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name).slice(join(cwd, "package/").length));
  assert.deepEqual(paths.sort(), [...packageFiles.map(({ to }) => to), "package.json"].sort());
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(join(cwd, "package/package.json"), "utf8")));
  const allowed = ["name", "version", "description", "license", "type", "bin", "engines", "files"];
  assert.deepEqual(Object.keys(manifest).sort(), allowed.sort());
});

test("the package asks npm for the Node that the command line asks for itself", () => {
  const launcher = readFileSync(join(root, "scripts/bundle/cli-launcher.js"), "utf8");
  assert.match(launcher, new RegExp(`major >= ${oldestNode}\\)`));
});
