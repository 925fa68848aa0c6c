import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { defaultStageLimits, type StageLimits } from "../../../../src/untrusted/files/limits.ts";
import { type Selection, type Staged, type StageOptions, stageFiles } from "../../../../src/untrusted/files/stage.ts";
import { createRedactor } from "../../../../src/untrusted/redact.ts";

export const secret = "s3cr3t-Value/42";

/** A root with files in it, and a staging directory beside it. */
export interface Place extends Disposable {
  readonly root: string;
  readonly staging: string;
  readonly outside: string;
}

export function makePlace(files: Readonly<Record<string, string | Buffer>> = {}): Place {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "evalbatch-files-")));
  const place = { root: join(base, "root"), staging: join(base, "staging"), outside: join(base, "outside") };
  for (const path of Object.values(place)) mkdirSync(path);
  for (const [path, content] of Object.entries(files)) put(join(place.root, path), content);
  return { ...place, [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }) };
}

export function put(path: string, content: string | Buffer): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

export const takeAll = (): Selection => ({ kind: "take", rank: 0 });

export async function stage(
  place: Place,
  overrides: Partial<Omit<StageOptions, "limits">> & { readonly limits?: Partial<StageLimits> } = {},
): Promise<Staged> {
  const { limits, ...others } = overrides;
  const { root, staging } = place;
  const redactor = createRedactor([secret]);
  return await stageFiles({ root, staging, select: takeAll, redactor, limits: { ...defaultStageLimits, ...limits }, ...others });
}

/** Every file of staging but the manifest, with `/`. */
export function stagedNames(place: Place): string[] {
  return readdirSync(place.staging, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(place.staging, join(entry.parentPath, entry.name)))
    .filter((name) => name !== "evalbatch-files.json")
    .sort();
}

export const stagedText = (place: Place, name: string): string => readFileSync(join(place.staging, name), "utf8");

/** Reason by path of what was left out. */
export function reasons(staged: Staged): Record<string, string> {
  return Object.fromEntries(staged.manifest.left_out.map(({ path, reason }) => [path, reason]));
}
