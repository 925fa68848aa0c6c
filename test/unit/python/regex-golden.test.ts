import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { compilePythonRegex, PythonRegexError, searchPythonRegex } from "../../../src/python/regex.ts";

const root = join(import.meta.dirname, "../../..");

interface Row {
  readonly group: string;
  readonly pattern: string;
  readonly flags: number;
  readonly warnings: readonly string[] | null;
  readonly error?: { readonly class: string; readonly message: string; readonly pos?: number | null };
  readonly subject?: string;
  readonly matched?: boolean;
  readonly span?: readonly [number, number] | null;
  readonly group0?: string | null;
  readonly groups?: readonly (string | null)[] | null;
  readonly groupdict?: Readonly<Record<string, string | null>> | null;
}

async function outcome(row: Row): Promise<unknown> {
  try {
    const regex = compilePythonRegex(row.pattern, row.flags);
    const warnings = regex.warnings.length > 0 ? regex.warnings : null;
    const match = await searchPythonRegex(regex, row.subject ?? "");
    if (match === undefined) return { warnings, matched: false };
    const named = Object.entries(match.namedGroups).map(([name, text]) => [name, text ?? null]);
    return {
      warnings,
      matched: true,
      span: [match.index.start, match.index.end],
      group0: match.text,
      groups: match.groups.map((text) => text ?? null),
      groupdict: named.length > 0 ? Object.fromEntries(named) : null,
    };
  } catch (error) {
    if (!(error instanceof PythonRegexError)) throw error;
    return { class: error.pythonType, message: error.message, pos: error.position };
  }
}

function expected(row: Row): unknown {
  if (row.error) return { class: row.error.class, message: row.error.message, pos: row.error.pos ?? undefined };
  if (!row.matched) return { warnings: row.warnings, matched: false };
  return { warnings: row.warnings, matched: true, span: row.span, group0: row.group0, groups: row.groups, groupdict: row.groupdict };
}

const extra: { readonly rows: readonly Row[] } = JSON.parse(readFileSync(join(root, "test/fixtures/python/regex-extra.json"), "utf8"));

/** A name that only Python's whole table of names could tell from a real one. */
const unknownName = "\\N{NOPE}";

for (const group of new Set(extra.rows.map((row) => row.group))) {
  test(`regular expressions mean what Python's do: ${group}`, async () => {
    for (const row of extra.rows) {
      if (row.group !== group || row.pattern === unknownName) continue;
      assert.deepEqual(await outcome(row), expected(row), JSON.stringify([row.pattern, row.flags, row.subject]));
    }
  });
}

test("a character name that is not in our table is refused as not supported, with what to write instead", () => {
  assert.throws(
    () => compilePythonRegex(unknownName, 0),
    (error) => error instanceof PythonRegexError && error.kind === "not supported" && /\\uXXXX/.test(error.hint ?? ""),
  );
});

interface RealPattern {
  readonly pattern: string;
  readonly flags: number;
  readonly compiles: boolean;
  readonly subjects: readonly Omit<Row, "group" | "pattern" | "flags" | "warnings">[];
}

test("every pattern of the real corpus finds what Python finds", async (context) => {
  const file = join(process.env.EVALBATCH_SHARED ?? join(root, "../shared"), "corpus-expected/regex.json");
  if (!existsSync(file)) {
    context.skip("the corpus is not there (EVALBATCH_SHARED)");
    return;
  }
  const corpus: { readonly patterns: readonly RealPattern[] } = JSON.parse(readFileSync(file, "utf8"));
  assert.ok(corpus.patterns.length > 100);
  for (const { pattern, flags, subjects } of corpus.patterns) {
    const regex = compilePythonRegex(pattern, flags);
    for (const { subject = "", matched, span } of subjects) {
      const match = await searchPythonRegex(regex, subject);
      assert.equal(match !== undefined, matched, JSON.stringify([pattern, subject]));
      if (match && span) assert.deepEqual([match.index.start, match.index.end], span, JSON.stringify([pattern, subject]));
    }
  }
});
