import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemCode, writeFileAtomic } from "../atomic-file.ts";
import { parseJsonObject, syntaxMessage } from "../json-text.ts";
import { fileNames } from "../layout.ts";
import { isObject } from "../tolerant.ts";
import { type Fingerprint, ownKey } from "./fingerprint.ts";
import { fingerprintChunks } from "./fingerprint-text.ts";
import { fingerprintOf } from "./parse-fingerprint.ts";

export type ReadFingerprint =
  | { readonly kind: "fingerprint"; readonly fingerprint: Fingerprint }
  | { readonly kind: "none" }
  /** `reason` is one line. */
  | { readonly kind: "unreadable"; readonly reason: string };

const maxBytes = 128 * 1024 * 1024;
/** Settings are a few levels deep. What goes on for thousands would end in an overflow where it is compared. */
const maxDepth = 200;

/** Reads `resume_fingerprint.json` of a run directory, of any writer. Never throws: what is wrong with the file is a value. */
export async function readFingerprint(runDir: string): Promise<ReadFingerprint> {
  return readFingerprintFile(join(runDir, fileNames.fingerprint));
}

/** As `readFingerprint`, of a file. */
export async function readFingerprintFile(path: string): Promise<ReadFingerprint> {
  try {
    return parseFingerprint(await readBounded(path));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return { kind: "none" };
    return { kind: "unreadable", reason: syntaxMessage(error) };
  }
}

async function readBounded(path: string): Promise<Uint8Array> {
  // Without waiting: a pipe has no end.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new Error("it is no regular file");
    if (stats.size > maxBytes) throw new Error(`the file has ${stats.size} bytes, more than ${maxBytes}`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** The fingerprint in the bytes of a file. */
export function parseFingerprint(bytes: Uint8Array): ReadFingerprint {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return { kind: "unreadable", reason: "not valid UTF-8" };
  }
  const parsed = parseJsonObject(text);
  if (parsed.kind === "unreadable") return parsed;
  const { value } = parsed;
  const { [ownKey]: own, ...run } = value;
  if (isDeep([run, isObject(own) ? own.settings : null]))
    return { kind: "unreadable", reason: `values in it are nested more than ${maxDepth} levels deep` };
  return { kind: "fingerprint", fingerprint: fingerprintOf(value) };
}

/**
 * Writes `resume_fingerprint.json`.
 * @throws EnvironmentError `disk-full`, `cannot-write`
 */
export async function writeFingerprint(runDir: string, fingerprint: Fingerprint): Promise<void> {
  await writeFileAtomic(join(runDir, fileNames.fingerprint), fingerprintChunks(fingerprint));
}

/** Level by level rather than by recursion. */
function isDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const next: unknown[] = [];
    for (const item of level) {
      if (typeof item !== "object" || item === null) continue;
      for (const part of Object.values(item)) if (typeof part === "object" && part !== null) next.push(part);
    }
    level = next;
  }
  return false;
}
