import type { AgentErrorCategory } from "./agent.ts";

/**
 * Words of errors and what they mean, in the order in which they are tried (formats.md 10.2). Status codes are whole words [0.12.16],
 * and so is what stands in other words too (`credit` in `accredited`, `oom` in `room`). `strict` holds for lines of a log as well, where
 * a number may be anything.
 */
const rules: readonly { readonly category: AgentErrorCategory; readonly strict: RegExp; readonly loose?: RegExp }[] = [
  {
    category: "agent_auth_error",
    strict:
      /authenticat|unauthori[sz]ed|(?:invalid|incorrect|missing|expired|no) (?:x-)?api[ _-]?key|api[ _-]?key (?:is |was )?(?:not valid|invalid|expired|missing|required|not (?:set|found))|\bnot logged in\b|please run \/login|login required|(?:http|status|error)[: ]+40[13]\b/i,
    loose: /\b401\b/,
  },
  {
    category: "agent_billing_error",
    strict:
      /\bcredits?\b(?! card\b)|\bbilling\b|\bpayment\b|insufficient[ _](?:quota|funds?|balance|credits?|account)|quota exceeded|exceeded your current quota|spending limit|usage limit|(?:http|status|error)[: ]+402\b/i,
    loose: /\binsufficient\b(?! (?:permission|scope|privilege|memory|space|disk))|\b402\b/i,
  },
  {
    category: "agent_rate_limit",
    strict: /rate[ _-]?limit|too many requests|resource[ _]exhausted|(?:http|status|error)[: ]+429\b/i,
    loose: /\b429\b/,
  },
  // Of the service or the way to it, and so worth another try; any other time-out is one of the agent's own.
  {
    category: "agent_api_error",
    strict:
      /(?:connect(?:ion)?|request|api|network|socket|gateway|stream|response|fetch|headers?|body)\b.{0,40}\btime(?:d )?[- ]?out\b|\btime(?:d )?[- ]?out\b.{0,40}\b(?:connect|request|api|network|socket|gateway|stream|response|server)|\bETIMEDOUT\b|_TIMEOUT\b/i,
  },
  { category: "agent_timeout", strict: /timeout/i },
  {
    category: "agent_invalid_output",
    strict:
      /content[ _-]?filter|guardrail|content management policy|context[ _](?:length|window|limit)|prompt is too long|maximum context|too many (?:input )?tokens|input is too long/i,
  },
  {
    category: "agent_config_error",
    strict: /model.{0,80}\b(?:not found|does not exist|not supported|is not available)\b|(?:unknown|invalid|unsupported) model\b/i,
  },
  {
    category: "agent_api_error",
    strict:
      /api error|connection|network|overloaded|high demand|service unavailable|bad gateway|internal (?:server )?error|socket hang up|fetch failed|\b(?:ECONN\w+|ENOTFOUND|EAI_AGAIN|EPIPE|UND_ERR_\w+)\b|stream (?:disconnected|ended|closed)|\bterminated\b/i,
    loose: /\b(?:50[0234]|529)\b/,
  },
  { category: "disk_full", strict: /no space left|\bENOSPC\b|\bEDQUOT\b|\bdisk (?:is )?full\b|disk quota/i, loose: /\bdisk\b/i },
  { category: "out_of_memory", strict: /\bout of memory\b|\boom\b|cannot allocate memory/i },
];

/** Where the words come from: a message that the agent gave as its error, or a line of its log. */
type WordsFrom = "message" | "log";

/** Pure: what the words of an error say; undefined where they say nothing. */
export function categoryOfText(text: string, from: WordsFrom): AgentErrorCategory | undefined {
  const found = rules.find(({ strict, loose }) => strict.test(text) || (from === "message" && loose?.test(text) === true))?.category;
  // Services say "quota" for a minute's share as well; one that tells when to come back does not want money.
  return found === "agent_billing_error" && isShare(text) ? "agent_rate_limit" : found;
}

/** Whether an error speaks of an account that is empty. */
export function isBilling(text: string): boolean {
  const rule = rules.find(({ category }) => category === "agent_billing_error");
  return rule?.strict.test(text) === true && !isShare(text);
}

function isShare(text: string): boolean {
  return asksToWaitMs(text) !== undefined || /per[ _-]?(?:minute|second|hour)|rate[ _-]?limit/i.test(text);
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
/** More is no pause but the end of an allowance. */
const longestPauseMs = 3_600_000;

/** Pure: milliseconds that an error's words ask to wait ("try again in 1m30s"); undefined where they ask for none, or for hours. */
export function asksToWaitMs(text: string): number | undefined {
  const found =
    /(?:try again|retry|retrying|reset(?:s)?)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?\s*(?:ms|milliseconds?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\s*(?:and\s+)?)+)/i.exec(
      text,
    )?.[1] ?? /retry[-_ ]?(?:after|delay)\\?["']?\s*[:=]\s*\\?["']?(\d+(?:\.\d+)?\s*(?:ms|s)?)/i.exec(text)?.[1];
  if (found === undefined) return undefined;
  let total = 0;
  for (const [, number = "0", unit = "s"] of found.matchAll(/(\d+(?:\.\d+)?)\s*(ms|milli|[hms])?/gi)) {
    total += Number(number) * (unitMs[unit.toLowerCase() === "milli" ? "ms" : unit.toLowerCase()] ?? 1000);
  }
  return total > 0 && total <= longestPauseMs ? Math.ceil(total) : undefined;
}
