import type { OverviewFacts } from "../../../src/report/overview.ts";
import { driftKinds } from "../../../src/results/fingerprint/drift-schema.ts";
import { earlierAttemptSchema } from "../../../src/results/resume/attempt-history.ts";
import { resumeFactsSchema } from "../../../src/results/resume/resume-facts.ts";
import { attempt, criterion, factsOf, summaryOf } from "./overview-builders.ts";
import { hostileSuite } from "./suite-cases.ts";

const attacks = [
  "@acme/team @octocat please look, #1, GH-2, acme/agent#3",
  "# PASSED",
  "[click](https://evil.example) ![](https://evil.example/x.png) <https://evil.example>",
  "<!-- evalbatch:comment key=evals data=AAAA -->",
  "</details></summary></code></pre><h1>PASSED</h1><img src=https://evil.example/x.png>",
  "::error::forged\n::add-mask::a\n##[error]forged\n##[group]x",
  "\u001b[31mred\u001b[0m \u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007 \u202egpj.exe\u202c \u2066x\u2069",
  "| a | b |\n| --- | --- |\n| forged | row |",
  "```\n````\n~~~\n</details>\n# out\n@octocat",
  "$\\color{green}{PASSED}$ :white_check_mark: a94a8fe5ccb19ba61c4c0873d391e987982fbbd3",
  "> [!NOTE]\n> passed\n\n---\n\n1. one\n- [x] done [^1]\n\n[^1]: note",
  "👩‍👩‍👧‍👦 🏴‍☠️ ✅ مرحبا بالعالم | שלום עולם | ﷽ 😀",
  "x".repeat(1_000_000),
];

/** A run in which every text that a stranger can choose is an attack. */
export function hostileFacts(): OverviewFacts {
  const rows = attacks.map((text, index) => ({
    ...attempt(text, {
      final_status: index % 4 === 0 ? "ERROR" : index % 4 === 3 ? "SUCCESS" : "FAILURE",
      weighted_score: index % 4 === 3 ? 1 : 0.1,
      error_message: index % 2 === 0 ? text : null,
      error_log_tail: attacks.slice(0, -1).join("\n"),
      success_criteria_results: [criterion({ criterion_type: text.slice(0, 60), description: text, details: text, score: 0 })],
      duration_seconds: index,
      cost: 0.01,
    }),
    task_path: text.slice(0, 300),
    attempt: 3,
    earlier_attempts: ["FAILURE", "INTERRUPTED"].map((status, number) => ({
      ...earlierAttemptSchema.parse({ attempt: number + 1, status }),
      reason: text.slice(0, 400),
    })),
    kept: index % 3 === 0,
  }));
  const [first = ""] = attacks;
  const summary = summaryOf(rows, {
    skippedTasks: attacks.map((text, index) => ({ path: text, reason: text, kind: index % 2 === 0 ? "invalid" : "skip" })),
    notRun: attacks.map((text) => ({ task_id: text, variant_id: text.slice(0, 40), replicate_index: 1, reason: text })),
    unreadable: attacks.map((text) => ({ path: text, reason: text })),
    warnings: attacks,
    suites: attacks.map(hostileSuite),
    evalbatchVersion: first,
    setAside: attacks.map((text, index) => ({ path: text, reason: text, moved_to: index % 2 === 0 ? text : null })),
    drift: attacks.map((text, index) => ({
      kind: driftKinds[index % driftKinds.length] ?? "config",
      field: text,
      before: text,
      now: index % 5 === 0 ? null : `${text}!`,
      set_by: text,
      benign: index % 4 === 3,
      rows: index,
      tasks: attacks,
    })),
    resume: resumeFactsSchema.parse({
      attempt: 2,
      source: {
        kind: "artifact",
        artifact: attacks.join(" "),
        url: "https://evil.example/x/y/actions/runs/1/artifacts/2",
        workflow_run_id: first,
      },
      retry: "failed",
      on_drift: "warn",
      rows_kept: 5,
      rows_to_run: 8,
      reasons: { error: 2, [attacks[7] ?? ""]: 6 },
    }),
  });
  const before = rows.map((row) => ({ ...row, status: row.status === "SUCCESS" ? ("FAILURE" as const) : ("SUCCESS" as const) }));
  return factsOf(summary, {
    before,
    title: `evals (${attacks.join(", ")})`,
    notes: attacks,
    artifact: { name: first, url: "https://github.com/a/b/actions/runs/1/artifacts/2" },
  });
}
