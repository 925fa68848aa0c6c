import { createHash } from "node:crypto";

/** What the first line of a comment of ours says about it. Nobody sees it: GitHub hides comments of HTML. */
export interface CommentMarker {
  /** Hash of the comment's key. */
  readonly key: string;
  /** Undefined for a comment that was written outside of a run. */
  readonly runId: string | undefined;
  /** From 1. */
  readonly attempt: number;
  /** What the comment remembers of its run, `[A-Za-z0-9_-]*`; untrusted when read. */
  readonly data: string;
}

/** Fields that a later version may add are let through. */
const line = /^<!-- evalbatch:comment((?: [a-z]+=[\w-]*)+) -->(?=\r?\n|$)/;
const runNumber = /^[1-9]\d{0,19}$/;
const attemptNumber = /^[1-9]\d{0,8}$/;
const dataText = /^[\w-]*$/;

/** A key of any text, as it stands in the marker. */
export function hashKey(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

/** The line, its end included; after it Markdown starts afresh. What is not of its form is left out, so that it always parses. */
export function markerLine({ key, runId, attempt, data }: CommentMarker): string {
  const fields = {
    key,
    run: runId !== undefined && runNumber.test(runId) ? runId : "",
    attempt: String(attempt),
    data: dataText.test(data) ? data : "",
  };
  const written = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
  return `<!-- evalbatch:comment ${written.join(" ")} -->\n`;
}

/** The marker at the very start of a comment; undefined when there is none, wherever else the text may hold one. */
export function parseMarker(body: string): CommentMarker | undefined {
  const fields = line.exec(body)?.[1];
  if (fields === undefined) return undefined;
  const values = new Map(
    fields
      .trim()
      .split(" ")
      .map((field) => {
        const at = field.indexOf("=");
        return [field.slice(0, at), field.slice(at + 1)] as const;
      }),
  );
  const key = values.get("key") ?? "";
  if (key === "") return undefined;
  const run = values.get("run") ?? "";
  const attempt = values.get("attempt") ?? "";
  return {
    key,
    runId: runNumber.test(run) ? run : undefined,
    attempt: attemptNumber.test(attempt) ? Number(attempt) : 1,
    data: values.get("data") ?? "",
  };
}

type RunMoment = Pick<CommentMarker, "runId" | "attempt">;

/** Whether `a` is of a later run than `b`, or of a later attempt of the same; run ids count up. A run without an id is never later, nor earlier. */
export function isLater(a: RunMoment, b: RunMoment): boolean {
  if (a.runId === undefined || b.runId === undefined) return false;
  if (a.runId !== b.runId) return BigInt(a.runId) > BigInt(b.runId);
  return a.attempt > b.attempt;
}
