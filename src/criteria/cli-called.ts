import { z } from "zod";
import { compilePythonRegex, type PythonRegex, searchPythonRegex } from "../python/regex.ts";
import { pythonRepr } from "../python/repr.ts";
import { laxInt } from "../schema/lax.ts";
import { matchFields, oneVerb, oneVerbIssue } from "./cli/cli-match-schema.ts";
import { matchCall, type PatternSearch } from "./cli/match-cli.ts";
import { type RecordedCall, readCalls } from "./cli/read-calls.ts";
import { type CriterionChecker, type CriterionContext, criterionBase, failedCheck } from "./criterion.ts";
import { examplesOf } from "./tool-calls/examples.ts";

export const cliCalledSchema = criterionBase
  .extend({
    type: z.literal("cli_called"),
    log: z.string().default("cli_mocks/calls.jsonl"),
    ...matchFields,
    tool: z.string().nullable().default(null),
    min_count: laxInt(z.int().min(0)).default(1),
    max_count: laxInt(z.int().min(0)).nullable().default(null),
    ignore_flags: z.array(z.string()).default(["output"]),
  })
  .refine(oneVerb, oneVerbIssue)
  .superRefine((criterion, ctx) => {
    const { verb, verb_any_of, positional, flags, tool, min_count, max_count } = criterion;
    const names = [verb, verb_any_of, positional, tool].some((field) => field !== null) || Object.keys(flags ?? {}).length > 0;
    if (!names) ctx.addIssue({ code: "custom", message: "cli_called needs at least one of verb, verb_any_of, positional, flags, tool" });
    if (min_count === 0 && max_count === null) {
      ctx.addIssue({ code: "custom", path: ["max_count"], message: "'min_count: 0' needs a 'max_count': without one it always passes" });
    }
    if (max_count !== null && max_count < min_count) {
      ctx.addIssue({ code: "custom", path: ["max_count"], message: "'max_count' must not be below 'min_count' (default 1)" });
    }
  });

type CliCalled = z.output<typeof cliCalledSchema>;

export const cliCalled: CriterionChecker<typeof cliCalledSchema> = {
  type: "cli_called",
  schema: cliCalledSchema,
  check: async (criterion, context) => {
    const read = await readCalls(criterion.log, context);
    if (read.kind === "none") return failedCheck(read.error);
    const search = searchIn(context);
    const matched: RecordedCall[] = [];
    for (const call of read.calls) {
      if (criterion.tool !== null && call.tool !== criterion.tool) continue;
      if (await matchCall(criterion, call.argv, search)) matched.push(call);
    }
    const { min_count, max_count } = criterion;
    const count = matched.length;
    const passed = count >= min_count && (max_count === null || count <= max_count);
    const counted =
      max_count === null ? `${count}/${min_count} required calls` : `${count} calls (allowed range ${min_count}..${max_count})`;
    const examples = examplesOf(matched.map(({ tool, argv }) => [tool, ...argv].join(" ")));
    return { score: passed ? 1 : 0, details: `Matched ${counted} (filters: ${filtersOf(criterion)})${examples}`, error: null };
  },
};

/** @throws PythonRegexError for a pattern that does not compile: a rule that cannot be read fits nothing */
function searchIn(context: CriterionContext): PatternSearch {
  const compiled = new Map<string, PythonRegex>();
  return async (pattern, flags, text) => {
    const key = `${flags} ${pattern}`;
    const regex = compiled.get(key) ?? compilePythonRegex(pattern, flags);
    compiled.set(key, regex);
    return (await searchPythonRegex(regex, text, { signal: context.signal })) !== undefined;
  };
}

function filtersOf(criterion: CliCalled): string {
  const { tool, verb, verb_any_of, positional, flags } = criterion;
  const parts = [
    tool === null ? [] : [`tool=${tool}`],
    verb === null ? [] : [`verb=${verb}`],
    verb_any_of === null ? [] : [`verb_any_of=${pythonRepr(verb_any_of)}`],
    positional === null ? [] : [`positional=${pythonRepr(positional)}`],
    Object.entries(flags ?? {}).map(([name, rule]) => {
      if (rule.absent || rule.present) return `--${name.replace(/^-+/, "")} ${rule.absent ? "absent" : "present"}`;
      const word = (["equals", "contains", "matches_regex", "any_of"] as const).find((key) => rule[key] !== null) ?? "equals";
      return `--${name.replace(/^-+/, "")} ${word} ${pythonRepr(rule[word])}`;
    }),
  ];
  return parts.flat().join(", ");
}
