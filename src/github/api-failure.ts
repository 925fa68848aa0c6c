import { z } from "zod";
import { errorMessage } from "../errors.ts";
import { splitLines, visibleText } from "../untrusted/characters.ts";
import type { Ended } from "./time-budget.ts";

/**
 * - `refused`: GitHub said no (4xx)
 * - `server`: GitHub or something before it is broken (5xx)
 * - `limited`: too many requests, and the wait that it asks for is too long
 * - `unreachable`: no answer
 * - `out of time`, `stopped`: we gave up
 * - `client`: GitHub's client library could not be used
 */
export type FailureCause = "refused" | "server" | "limited" | "unreachable" | "client" | Ended;

/** Why a request to GitHub gave nothing. */
export interface ApiFailure {
  readonly cause: FailureCause;
  /** Of the answer, if there was one. */
  readonly status: number | undefined;
  /** One line, cleaned and bounded; may hold text of the server. */
  readonly message: string;
}

const maxMessageChars = 300;

const requestError = z.object({
  status: z.number(),
  message: z.string(),
  response: z.object({ headers: z.record(z.string(), z.unknown()).catch({}) }).optional(),
});

/** Reads what octokit threw. */
export function failureOf(error: unknown): ApiFailure {
  const parsed = requestError.safeParse(error);
  if (!parsed.success) return { cause: "client", status: undefined, message: oneLine(errorMessage(error)) };
  const { status, message, response } = parsed.data;
  // Octokit reports a broken connection as a 500 without an answer.
  if (response === undefined) return { cause: "unreachable", status: undefined, message: oneLine(message) };
  const limit = isLimit(status, message, response.headers);
  const wait = limit ? waitText(response.headers) : "";
  const cause = limit ? "limited" : status >= 500 ? "server" : "refused";
  // A page of HTML is a gateway's, and tells a reader no more than its status.
  const said = /^\s*(?:<|$)/.test(message) ? "" : `: ${message}`;
  return { cause, status, message: oneLine(`${status}${said}${wait}`) };
}

export function endedFailure(ended: Ended): ApiFailure {
  const message = ended === "stopped" ? "the job was stopped" : "GitHub took too long";
  return { cause: ended, status: undefined, message };
}

/** Whether GitHub refused for the number of requests (docs.github.com, "Rate limits for the REST API"). */
export function isLimit(status: number, message: string, headers: Readonly<Record<string, unknown>>): boolean {
  if (status !== 403 && status !== 429) return false;
  return (
    status === 429 || headers["retry-after"] !== undefined || headers["x-ratelimit-remaining"] === "0" || /secondary rate/i.test(message)
  );
}

function waitText(headers: Readonly<Record<string, unknown>>): string {
  const seconds = Number(headers["retry-after"]);
  if (Number.isFinite(seconds)) return ` (asks to wait ${seconds} s)`;
  const reset = Number(headers["x-ratelimit-reset"]);
  if (headers["x-ratelimit-reset"] === undefined || !Number.isFinite(reset) || Math.abs(reset) > 8e9) return "";
  return ` (until ${new Date(reset * 1000).toISOString()})`;
}

function oneLine(text: string): string {
  const line = splitLines(visibleText(text.slice(0, maxMessageChars * 4)))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
  return line.length <= maxMessageChars ? line : `${line.slice(0, maxMessageChars - 1).toWellFormed()}…`;
}
