import { cut } from "../results/cut-text.ts";
import type { AgentErrorCategory } from "./agent.ts";
import type { CliVerdict } from "./cli/cli-agent.ts";
import { asksToWaitMs, categoryOfText, isBilling } from "./error-words.ts";

/** How the agent's process ended. */
export interface ProcessFacts {
  readonly exitCode: number | undefined;
  readonly killedBy: "out of memory" | "unknown" | undefined;
  /** Last part of it. */
  readonly stderr: string;
}

export interface Categorised {
  readonly category: AgentErrorCategory;
  /** Never empty. Foreign text. */
  readonly message: string;
  readonly retryAfterMs?: number | undefined;
}

/** Characters of an error's text. */
const messageChars = 1000;
const readChars = 20_000;

/**
 * Pure: why an agent failed (formats.md 10.2, as far as an agent can cause it). What is certain comes first: the memory killer, a
 * program that could not be started, the status of the service; then the words of the error. Only what the agent gave as an error is
 * looked at, so that a model may talk of bills and of 401 as it likes.
 */
export function categorise(verdict: Extract<CliVerdict, { kind: "failed" }>, facts: ProcessFacts): Categorised {
  if (facts.killedBy === "out of memory") {
    return { category: "out_of_memory", message: "the agent was killed because the sandbox ran out of memory" };
  }
  // A service may answer with a whole page.
  const said = verdict.message.trim().slice(0, readChars);
  // A shell's own codes; a service's error may come with any code.
  if (verdict.apiStatus === undefined && (facts.exitCode === 126 || facts.exitCode === 127)) {
    const why = facts.exitCode === 127 ? "was not found" : "could not be executed";
    return { category: "agent_config_error", message: `the agent's program ${why} in the sandbox (exit code ${facts.exitCode})` };
  }
  const complaint = lastComplaint(facts.stderr);
  const retryAfterMs = verdict.retryAfterMs ?? asksToWaitMs(said);
  const category =
    (verdict.apiStatus === undefined ? undefined : categoryOfStatus(verdict.apiStatus, said, retryAfterMs !== undefined)) ??
    categoryOfText(said, "message") ??
    verdict.category ??
    categoryOfText(complaint, "log") ??
    (said === "" || speaksOfItsEnd(said) ? "agent_crash" : "agent_api_error");
  const message = cut(said === "" ? silentEnd(facts, complaint) : said, messageChars);
  return { category, message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

/**
 * Pure: what an HTTP status of the service means; undefined where it means nothing. Services tell of empty accounts and of wrong keys
 * with other statuses too, and then their words decide.
 */
export function categoryOfStatus(status: number, said: string, asksToWait: boolean): AgentErrorCategory | undefined {
  if (status === 429) return isBilling(said) && !asksToWait ? "agent_billing_error" : "agent_rate_limit";
  if (status === 402) return "agent_billing_error";
  if (status === 401) return "agent_auth_error";
  if (status === 403) return isBilling(said) ? "agent_billing_error" : "agent_auth_error";
  if (status === 408 || status === 409 || status === 425 || (status >= 500 && status <= 599)) return "agent_api_error";
  if (status === 413) return "agent_invalid_output";
  if (status < 400 || status > 599) return undefined;
  const byText = categoryOfText(said, "log");
  const decides = byText === "agent_auth_error" || byText === "agent_billing_error" || byText === "agent_invalid_output";
  return decides ? byText : "agent_config_error";
}

function silentEnd({ exitCode, killedBy }: ProcessFacts, complaint: string): string {
  const how = exitCode === undefined ? "ended without an exit code" : `ended with exit code ${exitCode}`;
  const killed = killedBy === "unknown" ? ", killed by something other than evalbatch" : "";
  return `the agent ${how}${killed}${complaint === "" ? " and told no reason" : `: ${complaint}`}`;
}

/** The last line of stderr that tells of an error: programs write much else to it. */
function lastComplaint(stderr: string): string {
  const lines = stderr.split("\n").map((line) => line.trim());
  return cut(lines.findLast((line) => /\b(?:error|fatal|failed|exception|denied|cannot|unable|panic)\b|error:/i.test(line)) ?? "", 500);
}

function speaksOfItsEnd(said: string): boolean {
  return /\b(?:crash(?:ed)?|killed|exit(?:ed)? (?:with )?code|cli process failed|without (?:a |its )?(?:result|end))\b/i.test(said);
}
