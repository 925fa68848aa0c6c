import { z } from "zod";
import type { CriterionContext } from "../criterion.ts";
import { readText } from "../sandbox-path.ts";

/** One line of a log of calls (formats.md 1.4). Keys beyond these are nobody's business here. */
const recordSchema = z.looseObject({
  tool: z.string(),
  argv: z.array(z.string()),
  rule_error: z.string().nullish(),
  sidecar_error: z.string().nullish(),
});

export interface RecordedCall {
  readonly tool: string;
  /** Without the tool's name. */
  readonly argv: readonly string[];
}

/** Calls in the order in which they were recorded, or why they cannot be told: a log with a gap proves nothing. */
export type CallsRead =
  | { readonly kind: "calls"; readonly calls: readonly RecordedCall[] }
  | { readonly kind: "none"; readonly error: string };

/** A rule of a stand-in's `responses` could not be applied: the agent was not answered as the task says. */
export class ResponseRuleError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ResponseRuleError";
  }
}

/**
 * Reads a log of recorded calls.
 * @throws ResponseRuleError for a call whose answer could not be chosen; what `readText` throws
 */
export async function readCalls(log: string, context: CriterionContext): Promise<CallsRead> {
  if ((await context.sandbox.kindOf(`${log}.error`, context.signal)) !== "missing") {
    return { kind: "none", error: `calls are missing in '${log}': a stand-in could not write to it ('${log}.error' is there)` };
  }
  const read = await readText(log, context);
  if (read.kind === "none") return read;
  const calls: RecordedCall[] = [];
  for (const [index, line] of read.text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const where = `line ${index + 1} of '${log}'`;
    const record = recordSchema.safeParse(parseLine(line));
    if (!record.success) return { kind: "none", error: `${where} is no usable record of a call` };
    const { tool, argv, rule_error, sidecar_error } = record.data;
    if (typeof sidecar_error === "string") return { kind: "none", error: `the stand-in of '${tool}' failed (${where}): ${sidecar_error}` };
    if (typeof rule_error === "string") throw new ResponseRuleError(`response of '${tool}' (${where}): ${rule_error}`);
    calls.push({ tool, argv });
  }
  return { kind: "calls", calls };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
