// `npm run build [-- --out DIR]`: the sources become four files that run without node_modules.
//   src/**.ts --tsc--> build/js/**.js --ncc--> dist/{main,post,cli-main,artifact-worker}.js, and dist/cli.js, which looks at
//   the Node version first. The client for artifacts is in artifact-worker.js only, which main.js and post.js start as a thread.
// ncc gets emitted JavaScript because its own TypeScript loader does not work with TypeScript 7. The same sources and
// lock file give the same bytes in any directory, so that `npm run check:dist` can compare.
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { mergeLicenses } from "./bundle/licenses.ts";
import { bundleModule, filesBelow } from "./bundle/ncc.ts";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { out: { type: "string", default: "dist" } } });
const out = resolve(root, values.out);

/** File in `dist` and the door it is made of. */
const bundles = {
  "main.js": "main.js",
  "post.js": "post.js",
  "cli-main.js": "cli.js",
  "artifact-worker.js": "github/artifact-worker.js",
};

function emit(): void {
  rmSync(join(root, "build/js"), { recursive: true, force: true });
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { status } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`tsc ended with ${status}`);
}

function bundle(): void {
  const made = Object.entries(bundles).map(([file, door]) => ({ file, ...bundleModule(root, join(root, "build/js", door)) }));
  // Only now: a build that fails leaves the old files alone. Files of an earlier build must not stay.
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  for (const { file, code } of made) writeFileSync(join(out, file), code);
  copyFileSync(join(root, "scripts/bundle/cli-launcher.js"), join(out, "cli.js"));
  chmodSync(join(out, "cli.js"), 0o755);
  writeFileSync(join(out, "package.json"), `${JSON.stringify({ type: "module" }, null, 2)}\n`);
  writeFileSync(
    join(out, "licenses.txt"),
    mergeLicenses(
      root,
      made.map(({ licenses }) => licenses),
    ),
  );
}

emit();
bundle();
for (const file of filesBelow(out))
  process.stdout.write(`${String(Math.ceil(statSync(join(out, file)).size / 1024)).padStart(6)} KiB  ${values.out}/${file}\n`);
