// `node scripts/release.ts TAG --notes FILE`: checks that TAG may be released, writes its section of the change log to FILE
// and prints `name=value` lines for GITHUB_OUTPUT. Changes nothing else; .github/workflows/release.yml acts on it.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { planRelease } from "./release/plan.ts";

const root = join(import.meta.dirname, "..");
const git = (...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();
const read = (file: string): string => readFileSync(join(root, file), "utf8");

const { values, positionals } = parseArgs({ allowPositionals: true, options: { notes: { type: "string" } } });
const [tag = ""] = positionals;
const { version: manifestVersion } = z.looseObject({ version: z.string() }).parse(JSON.parse(read("package.json")));
const release = planRelease({ tag, manifestVersion, changelog: read("CHANGELOG.md"), tags: git("tag", "--list").split("\n") });
if (values.notes !== undefined) writeFileSync(values.notes, `${release.notes}\n`);
// A tag may be an object of its own: what follows it has to point to the commit.
const outputs = {
  version: release.version,
  prerelease: release.prerelease,
  moves: release.moves.join(" "),
  commit: git("rev-parse", "HEAD"),
};
for (const [name, value] of Object.entries(outputs)) process.stdout.write(`${name}=${value}\n`);
