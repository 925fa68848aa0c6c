import type { EndEvent } from "../agent-event.ts";
import { statusIn } from "./api-status.ts";
import type { CliEnd, CliVerdict } from "./cli-agent.ts";
import { silentEnd } from "./silent-end.ts";

/** Signals that end programs: a shell gives 128 more as the exit code. HUP, INT, QUIT, ILL, ABRT, BUS, FPE, KILL, SEGV, PIPE, TERM. */
const signals = new Set([1, 2, 3, 4, 6, 7, 8, 9, 11, 13, 15]);

/** The last word of a stream. */
export function endOfStream(end: CliEnd): EndEvent | undefined {
  return end.events.findLast((event) => event.kind === "end");
}

/** The last line of stderr that is a complaint and not a warning. */
export function complaintOf(stderr: string): string | undefined {
  const lines = stderr.split("\n").map((line) => line.trim());
  return lines.findLast(
    (line) =>
      /\berror\b|\bfailed\b|\bfatal\b|\bcannot\b|\binvalid\b|\bno\b|\bnot\b/i.test(line) && !/^(?:warning\b|\[STARTUP\])/i.test(line),
  );
}

/** The verdict where the agent said in its stream that it failed, from its words and its errors before them. */
export function saidFailed(end: CliEnd, said: EndEvent): CliVerdict {
  const last = end.events.findLast((event) => event.kind === "error");
  const words = [said.result, last?.message, complaintOf(end.stderr)].find((text) => text !== undefined && text.trim() !== "");
  const message = words ?? `the agent says that it failed (${said.subtype})`;
  return { kind: "failed", message, apiStatus: said.apiStatus ?? last?.status ?? statusIn(message) };
}

/** The verdict where the stream has no last word, or the exit code contradicts it. */
export function brokeOff(end: CliEnd): CliVerdict {
  const silent = silentEnd(end);
  if (silent.kind !== "failed" || silent.message !== "") return silent;
  const isKilled = end.exitCode === undefined || signals.has(end.exitCode - 128);
  // What a killed program wrote before is no reason of its end.
  const complaint = isKilled ? undefined : complaintOf(end.stderr);
  const exit = end.exitCode === undefined ? "without an exit code" : `with exit code ${end.exitCode}`;
  const message = complaint ?? `the agent ended ${exit} before its work was over`;
  return complaint === undefined ? { kind: "failed", message, category: "agent_crash" } : { kind: "failed", message };
}
