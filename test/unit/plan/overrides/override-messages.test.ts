import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { z } from "zod";
import { renderError } from "../../../../src/commands/render-error.ts";
import { parseOverrides } from "../../../../src/plan/overrides/parse-overrides.ts";
import { agentSchema } from "../../../../src/plan/schema/agent-schema.ts";
import { runLimitsSchema } from "../../../../src/plan/schema/run-limits-schema.ts";
import { flagsOf } from "./flags-of.ts";

// Argument lists that 0.8.2 was given, with its decision and what it resolved; `ours` is our text for the same.
const lineage = z.record(z.string(), z.object({ value: z.unknown(), source: z.string(), source_detail: z.string() }));
const rowSchema = z.object({
  args: z.array(z.string()),
  exit_code: z.number(),
  ours: z.array(z.string()).nullable().optional(),
  resolved: z.object({ model: z.string().nullable(), max_turns: z.number() }).optional(),
  cli_lineage: lineage.optional(),
});
const file = new URL("../../../fixtures/plan/overrides/messages.json", import.meta.url);
const rows = z.array(rowSchema).parse(JSON.parse(readFileSync(file, "utf8")));
const overrideRows = rows.filter(({ ours }) => ours !== undefined);

function textOf(args: readonly string[]): readonly string[] | null {
  try {
    parseOverrides(flagsOf(args) ?? assert.fail("no overrides"));
    return null;
  } catch (error) {
    return renderError(error).trimEnd().split("\n");
  }
}

test("the table has the rows of 0.8.2", () => {
  assert.equal(rows.length, 50);
  assert.equal(overrideRows.length, 40);
});

for (const { args, exit_code, ours } of overrideRows) {
  test(`${exit_code === 0 ? "takes" : "refuses"} ${JSON.stringify(args)} as 0.8.2 does, in these words`, () => {
    const found = textOf(args);
    assert.equal(found === null ? 0 : 2, exit_code);
    assert.deepEqual(found, ours);
  });
}

test("a value is kept for the lineage as it was given, and means what 0.8.2 made of it", () => {
  const resolved = overrideRows.filter((row) => row.cli_lineage !== undefined);
  assert.ok(resolved.length > 0);
  for (const row of resolved) {
    const overrides = parseOverrides(flagsOf(row.args) ?? assert.fail("no overrides"));
    const given = { agent: overrides.agent, run_limits: overrides.run_limits };
    const entries = Object.entries(given).flatMap(([root, fields]) =>
      Object.entries(fields).map(([name, value]) => {
        const path = `${root}.${name}`;
        return [path, { value, source: "cli", source_detail: overrides.detailOf(path) }];
      }),
    );
    assert.deepEqual(Object.fromEntries(entries), row.cli_lineage);
    const agent = agentSchema.parse({ type: "none", ...overrides.agent });
    if ("model" in overrides.agent) assert.equal(agent.model, row.resolved?.model);
    const limits = runLimitsSchema.parse(overrides.run_limits);
    if ("max_turns" in overrides.run_limits) assert.equal(limits.max_turns, row.resolved?.max_turns);
  }
});
