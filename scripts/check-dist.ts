// `npm run check:dist`: builds anew and compares with the committed dist/, byte for byte.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "./bundle/ncc.ts";

const root = join(import.meta.dirname, "..");
const committed = join(root, "dist");
const fresh = join(root, "build/dist");

const { status } = spawnSync(process.execPath, [join(root, "scripts/build.ts"), "--out", fresh], { cwd: root, stdio: "inherit" });
if (status !== 0) process.exit(status ?? 1);

const names = new Set([fresh, committed].filter((directory) => existsSync(directory)).flatMap(filesBelow));
const differences = [...names].sort().flatMap((name) => {
  const [now, then] = [join(fresh, name), join(committed, name)];
  if (!existsSync(then)) return [`${name} is missing`];
  if (!existsSync(now)) return [`${name} is not made by the build`];
  if (!readFileSync(now).equals(readFileSync(then))) return [`${name} differs`];
  const executable = (path: string): boolean => (statSync(path).mode & 0o100) !== 0;
  return executable(now) === executable(then) ? [] : [`${name} has another mode`];
});
rmSync(fresh, { recursive: true });
if (differences.length > 0) {
  process.stderr.write(
    `dist/ is not what the sources give:\n${differences.map((line) => `  ${line}\n`).join("")}  hint: npm run build, and commit dist/\n`,
  );
  process.exitCode = 1;
} else process.stdout.write("dist/ is what the sources give\n");
