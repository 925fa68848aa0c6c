import type { CliEnd, CliVerdict } from "./cli-agent.ts";
import { silentEnd } from "./silent-end.ts";

/**
 * The verdict by the `result` line, whose `is_error` counts and not its `subtype`: that is `success` too when the service refused. A program
 * that reached its own limit of money has done its work; the harness's budget decides what becomes of it.
 */
export function claudeLikeVerdict(end: CliEnd): CliVerdict {
  const last = end.events.findLast((event) => event.kind === "end");
  if (last === undefined) return silentEnd(end);
  if (last.maxTurnsReached === true) return { kind: "max turns" };
  if (!last.isError || last.subtype === "error_max_budget_usd") return { kind: "completed" };
  const trouble = end.events.findLast((event) => event.kind === "error");
  const message = last.result ?? trouble?.message ?? `ended as ${last.subtype}`;
  const status = last.apiStatus ?? trouble?.status;
  if (last.subtype === "error_max_structured_output_retries") return { kind: "failed", message, category: "agent_invalid_output" };
  return { kind: "failed", message, apiStatus: status };
}
