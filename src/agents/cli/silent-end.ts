import type { CliEnd, CliVerdict } from "./cli-agent.ts";

/** What a program says of a command line or a configuration that it does not take. */
const aboutConfig =
  /unknown (?:option|argument|field)|unexpected argument|invalid (?:value|option|configuration)|argument '.*' is invalid|error loading config|failed to (?:load|parse) (?:config|settings)/i;

/**
 * The verdict on a program that ended without a last word in its stream: it was killed, broke off, or never came to work. Only what is
 * certain is said here; the rest is for those who know how the process ended and what it wrote to stderr (an empty message).
 */
export function silentEnd(end: CliEnd): CliVerdict {
  const complaint = end.stderr.split("\n").findLast((line) => aboutConfig.test(line));
  if (complaint !== undefined) return { kind: "failed", message: complaint.trim(), category: "agent_config_error" };
  // Trouble that it overcame is no reason.
  const last = end.events.findLast((event) => event.kind !== "unknown" && event.kind !== "model call");
  // An error without a status may be a harmless remark.
  const isTrouble = last?.kind === "retry" || (last?.kind === "error" && last.status !== undefined);
  if (!isTrouble) return { kind: "failed", message: "" };
  return { kind: "failed", message: `no answer from the service: ${last.message}`, apiStatus: last.status };
}
