import { createHash, randomBytes } from "node:crypto";

export interface ArtifactNameOptions {
  /** Input `artifact-name`. */
  readonly given?: string | undefined;
  /** Id of the job in the workflow file. */
  readonly job?: string | undefined;
  /** `toJSON(matrix)`: `null` or nothing at all where there is no matrix. Values are foreign: a matrix can come from a script. */
  readonly leg?: string | undefined;
  /** From 1. */
  readonly attempt: number;
}

/** A file system's 255 bytes for a name, less `.zip`, the number of a name that was taken, and what download tools put around it. */
const maxBytes = 200;
const maxSlugBytes = 60;

/**
 * The name of the job's artifact, at most 200 bytes, of characters that the service takes (actions/toolkit, artifact,
 * path-and-artifact-name-validation.ts).
 *
 * - Without `given`: `evalbatch-<job>-<attempt>`, in a matrix `evalbatch-<job>-<leg>-<hash>-<attempt>`; no two jobs, legs or
 *   attempts share one.
 * - With `given`: that name, in every attempt, since `actions/download-artifact` with `name: <given>` takes the newest of its
 *   name, and must not get the files of an earlier attempt. In a matrix `-<leg>-<hash>` comes behind it, unless it holds all
 *   values of the leg already (`evals-${{ matrix.os }}`). Should the name be taken, `uploadArtifact` counts on.
 *
 * Where a character was replaced or a part cut, a hash of the whole text is added: different texts keep different names.
 */
export function artifactName({ given, job, leg, attempt }: ArtifactNameOptions): string {
  const matrix = readLeg(leg);
  const base = given?.trim() || undefined;
  const suffix = matrix === undefined || (base !== undefined && holdsAll(base, matrix.values)) ? "" : `-${legPart(matrix)}`;
  if (base !== undefined) return `${cleaned(base, maxBytes - Buffer.byteLength(suffix))}${suffix}`;
  const end = `${suffix}-${attempt}`;
  return `${cleaned(job === undefined ? "evalbatch" : `evalbatch-${job}`, maxBytes - Buffer.byteLength(end))}${end}`;
}

/** The wanted name, `-2` to `-5`, and one that is nobody's. */
export const maxNames = 6;

/**
 * Counts on, and then takes a number at random: many jobs may ask at the same time for the one name that they all have, as when
 * a matrix calls a reusable workflow, whose jobs do not see the matrix.
 */
export function nameOfTry(wanted: string, failedTries: number): string {
  if (failedTries === 0) return wanted;
  return `${wanted}-${failedTries < maxNames - 1 ? failedTries + 1 : randomBytes(4).toString("hex")}`;
}

/** More re-runs than GitHub allows (50): what counts beyond is no attempt. */
const maxAttempts = 100;

/**
 * Tells of an artifact's name in which attempts it may have been given to this job's artifact; never of a name that only another leg's
 * can have. Jobs whose names look alike can meet (`evals-1` in attempt 2, and `evals` in attempt 1 where its name was taken).
 * @param attempts how many there were
 */
export function attemptsByName(options: Omit<ArtifactNameOptions, "attempt">, attempts: number): (name: string) => readonly number[] {
  const byName = new Map<string, number[]>();
  for (let attempt = Math.max(1, attempts - maxAttempts + 1); attempt <= attempts; attempt += 1) {
    const name = artifactName({ ...options, attempt });
    byName.set(name, [...(byName.get(name) ?? []), attempt]);
  }
  return (name) => {
    const counted = /^(.+)-(?:[2-5]|[0-9a-f]{8})$/s.exec(name)?.[1];
    return [...new Set([...(byName.get(name) ?? []), ...(counted === undefined ? [] : (byName.get(counted) ?? []))])];
  };
}

/** Text of a job's matrix values that is equal for equal legs, however they were written; undefined outside of a matrix. */
export const legKey = (leg: string | undefined): string | undefined => readLeg(leg)?.key;

interface Leg {
  /** Its scalars, in their order. */
  readonly values: readonly string[];
  /** Equal for equal legs, however they were written. */
  readonly key: string;
}

function readLeg(text: string | undefined): Leg | undefined {
  const trimmed = text?.trim() ?? "";
  // An expression that nobody evaluated, as outside of a workflow.
  if (trimmed === "" || trimmed.startsWith("${{")) return undefined;
  try {
    const parsed: unknown = JSON.parse(trimmed);
    if (parsed === null || (typeof parsed === "object" && Object.keys(parsed).length === 0)) return undefined;
    return { values: scalarsOf(parsed), key: JSON.stringify(parsed) };
  } catch {
    return { values: [trimmed], key: trimmed };
  }
}

function scalarsOf(value: unknown): string[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(scalarsOf);
  return value === null || value === "" ? [] : [String(value)];
}

/** Always with a hash: `{a: 1, b: 12}` and `{a: 11, b: 2}` must not meet, nor names that a file system takes for the same. */
function legPart({ values, key }: Leg): string {
  const slug = values
    .join("-")
    .replace(/[^A-Za-z0-9._]+/g, "-")
    .replace(/^[-.]+/, "")
    .slice(0, maxSlugBytes)
    .replace(/[-.]+$/, "");
  return slug === "" ? hash(key) : `${slug}-${hash(key)}`;
}

/** Every value stands in the text as a word of its own: `linux` in `evals-linux`, but not `1` in `v12`. */
function holdsAll(text: string, values: readonly string[]): boolean {
  return (
    values.length > 0 &&
    values.every((value) => {
      const word = value.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
      return new RegExp(String.raw`(?<![\p{L}\p{N}])${word}(?![\p{L}\p{N}])`, "u").test(text);
    })
  );
}

/** What the service or a file system refuses, and what can't be seen. */
const refused = /["*/:<>?\\|]|[\p{C}\p{Zl}\p{Zp}]/gu;

function cleaned(text: string, roomBytes: number): string {
  const mapped = text
    .toWellFormed()
    .replace(refused, "-")
    // Windows drops dots and spaces at an end; at the front a dot hides a folder, or leads out of it.
    .replace(/^[. ]+|[. ]+$/g, "");
  if (mapped === text && Buffer.byteLength(mapped) <= roomBytes) return mapped;
  const tail = `-${hash(text)}`;
  const kept = cutBytes(mapped, roomBytes - tail.length).replace(/[-. ]+$/, "");
  return `${kept === "" ? "evalbatch" : kept}${tail}`;
}

function cutBytes(text: string, maxLength: number): string {
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxLength) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** Six letters or digits, 31 bits: for the at most 256 legs of a matrix a meeting is one in 65,000, and costs a `-2`. */
function hash(text: string): string {
  const digest = createHash("sha256").update(JSON.stringify(text)).digest().readUInt32BE(0);
  return digest.toString(36).padStart(7, "0").slice(-6);
}
