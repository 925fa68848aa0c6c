import { createHash } from "node:crypto";

const maxSegmentBytes = 150;
const keptBytes = 100;
/** Names that Windows takes for devices, whatever follows the first dot. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;
const forbidden = /[<>:"|?*\\\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const allForbidden = new RegExp(forbidden.source, "gu");
/** Files that a run, or its uploaded copy, has beside the directories of its variants, tasks and rows, while they are written too. */
const taken =
  /^(?:(?:run|experiment|variant|suite)\.(?:json|md|html)|(?:plan|comment|resume_fingerprint|evalbatch-files)\.json|experiment\.log)(?:\.tmp)?$/i;

/** The name of a task in logs, labels and results: `<variant>/<task_id>/<NN>` (formats.md 4). */
export function runKey(variantId: string, taskId: string, replicateIndex: number): string {
  return `${variantId}/${taskId}/${replicateNumber(replicateIndex)}`;
}

function replicateNumber(index: number): string {
  return String(index).padStart(2, "0");
}

/**
 * Where the results of a task go, relative to the run directory. Ordinary ids give what 0.8.2 gives; a part of an id
 * that is no safe name on every platform (`..`, an empty one, control characters, `:`, `con`, overlong, …) is cleaned
 * and gets a short hash of the original, so that two ids never clean to one name.
 */
export function resultDir(variantId: string, taskId: string, replicateIndex: number): string {
  return [variantId, ...taskId.split("/")].map(safeSegment).concat(replicateNumber(replicateIndex)).join("/");
}

/** One part of a path: unchanged when it is safe, else cleaned with a hash. */
export function safeSegment(segment: string): string {
  if (isSafe(segment)) return segment;
  const hash = createHash("sha256").update(segment).digest("hex").slice(0, 8);
  const clean = cutToBytes(segment.toWellFormed().replace(allForbidden, "_"), keptBytes);
  const name = clean
    .replace(/[. ]+$/, "")
    .replace(/^[. ]+/, "")
    .replace(device, "_");
  return `${name === "" ? "_" : name}-${hash}`;
}

function cutToBytes(text: string, maxBytes: number): string {
  let kept = "";
  let bytes = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

function isSafe(segment: string): boolean {
  return (
    segment.isWellFormed() &&
    segment.trim() === segment &&
    segment !== "" &&
    !segment.endsWith(".") &&
    segment !== ".." &&
    !forbidden.test(segment) &&
    !device.test(segment) &&
    !taken.test(segment) &&
    Buffer.byteLength(segment) <= maxSegmentBytes
  );
}

/** Two directories with the same identity are one on some file system: case and Unicode composition do not count. */
export function directoryIdentity(directory: string): string {
  return directory.normalize("NFC").toLowerCase();
}
