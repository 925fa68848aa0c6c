// Run as a program by log-fuzz.test.ts, so that the test sees the real standard output: annotates the runs that come on
// standard input, each followed by a line that ends its case.
import { text } from "node:stream/consumers";
import { z } from "zod";
import { annotateIssues } from "../../../src/github/annotate-issues.ts";
import { annotateRun } from "../../../src/github/annotations.ts";
import { createCommands } from "../../../src/github/commands.ts";
import { runSummarySchema } from "../../../src/results/run-summary-schema.ts";

const casesSchema = z.array(
  z.object({
    summary: runSummarySchema,
    gate: z.object({ passes: z.boolean(), reasons: z.array(z.string()), tolerated: z.array(z.string()) }),
    issue: z.object({
      severity: z.literal("error"),
      code: z.string(),
      message: z.string(),
      field: z.string(),
      hint: z.string(),
      file: z.string(),
    }),
    prefix: z.string(),
  }),
);

const [workspace = "", ending = ""] = process.argv.slice(2);
const commands = createCommands(workspace);
const deps = { commands, workspace, cwd: workspace };
for (const { summary, gate, issue, prefix } of casesSchema.parse(JSON.parse(await text(process.stdin)))) {
  annotateRun(summary, gate, deps, [{ ...issue, severity: "warning", mergedWith: issue.field }]);
  annotateIssues([issue], deps);
  commands.notice(issue.message, { title: issue.field, file: issue.file, line: 1, column: 2 });
  commands.lines(issue.message, prefix);
  process.stdout.write(`${ending}\n`);
}
