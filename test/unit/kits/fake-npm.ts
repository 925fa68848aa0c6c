import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { z } from "zod";
import { type EnsureKitOptions, ensureKit } from "../../../src/kits/ensure-kit.ts";
import type { Kit, KitRecipe } from "../../../src/kits/kit-recipe.ts";
import { runNpm } from "../../../src/kits/npm.ts";

const callSchema = z.object({
  args: z.array(z.string()),
  cwd: z.string(),
  manifest: z.string().nullable(),
  lock: z.string().nullable(),
  cache: z.string().optional(),
});

/** An agent that no lock is kept of. */
export const tool: KitRecipe = {
  name: "tool",
  program: "tool",
  npmPackage: "@acme/tool",
  version: "1.2.3",
  entry: "@acme/tool/bin/tool",
  runtime: "native",
};

/** What npm "installs" of it. */
export const toolFiles = {
  "@acme/tool/bin/tool": '#!/bin/sh\necho "tool got $*"\n',
  "@acme/helper/index.js": "",
  "other/index.js": "",
};

export interface FakeNpm extends AsyncDisposable {
  readonly cacheDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly lines: string[];
  calls(): z.infer<typeof callSchema>[];
  ensure(recipe: KitRecipe, options?: Partial<EnsureKitOptions>): Promise<Kit>;
}

/** A cache of its own and the npm of `test/fixtures/kits`. `how`: `ok`, `hang`, or what it prints before it fails. */
export async function fakeNpm(options: { how?: string; files?: object; view?: string } = {}): Promise<FakeNpm> {
  const root = await mkdtemp(join(tmpdir(), "evalbatch-kits-test-"));
  const log = join(root, "calls.jsonl");
  const cacheDir = join(root, "kits");
  const env = {
    PATH: `${join(import.meta.dirname, "../../fixtures/kits/bin")}${delimiter}/usr/bin${delimiter}/bin`,
    HOME: root,
    FAKE_NPM_NODE: process.execPath,
    FAKE_NPM: options.how ?? "ok",
    FAKE_NPM_FILES: JSON.stringify(options.files ?? toolFiles),
    FAKE_NPM_VIEW: options.view ?? "",
    FAKE_NPM_LOG: log,
  };
  const lines: string[] = [];
  const defaults = { version: undefined, platform: "linux-x64", cacheDir, env, signal: new AbortController().signal, run: runNpm };
  return {
    cacheDir,
    env,
    lines,
    calls: () => {
      const text = existsSync(log) ? readFileSync(log, "utf8") : "";
      // A line may just be being written.
      const whole = text.split("\n").slice(0, -1);
      return whole.map((line) => callSchema.parse(JSON.parse(line)));
    },
    ensure: (recipe, more = {}) => ensureKit(recipe, { ...defaults, log: (line) => void lines.push(line), ...more }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
