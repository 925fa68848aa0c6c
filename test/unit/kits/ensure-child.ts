import { ensureKit } from "../../../src/kits/ensure-kit.ts";
import { runNpm } from "../../../src/kits/npm.ts";
import { tool } from "./fake-npm.ts";

// A process that fetches a kit, for the tests in which it is killed.
const [cacheDir = ""] = process.argv.slice(2);
const { signal } = new AbortController();
const log = (line: string) => void process.stdout.write(`${line}\n`);
await ensureKit(tool, { version: undefined, platform: "linux-x64", cacheDir, env: process.env, log, signal, run: runNpm });
