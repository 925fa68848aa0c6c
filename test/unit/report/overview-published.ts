import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JobContext } from "../../../src/commands/job-context.ts";
import { publishRun } from "../../../src/commands/publish.ts";
import type { Commands } from "../../../src/github/commands.ts";
import { readEnvironment } from "../../../src/github/environment.ts";
import type { GitHubEvent } from "../../../src/github/event.ts";
import { loadInputs } from "../../../src/github/inputs.ts";
import type { OverviewFacts } from "../../../src/report/overview.ts";
import { renderRunMarkdown } from "../../../src/report/run-markdown.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";
import { notAccessible, startRestApi } from "../../fakes/rest-api.ts";

/** What a job shows of a run where there may be no comment: its summary, and in place of the comment what it says and leaves to others. */
export interface PublishedPages {
  readonly summary: string;
  readonly comment: string;
}

const commit = "3f8a1c0d9be24f5a6c7d8e9f0a1b2c3d4e5f6a7b";

export const events = {
  "no-pull-request": { kind: "other", name: "schedule" },
  fork: { kind: "pull_request", name: "pull_request", number: 7, headSha: commit, fork: true, dependabot: false },
} as const satisfies Record<string, GitHubEvent>;

/** Goes the whole way of the action, with a service that lets nobody write. */
export async function publishedPages({ summary, gate }: OverviewFacts, event: GitHubEvent): Promise<PublishedPages> {
  if (gate === undefined) throw new Error("a published run has a gate");
  await using api = await startRestApi({ repository: { fullName: "acme/agent" } });
  api.faults.push({ method: "POST", answer: notAccessible, times: 9 });
  const dir = mkdtempSync(join(tmpdir(), "evalbatch-published-"));
  try {
    const summaryPath = join(dir, "summary.md");
    writeFileSync(summaryPath, "");
    const said: string[] = [];
    const job = jobOf(event, { dir, summaryPath, apiUrl: api.url }, said);
    const run = { summary, gate, runDir: dir, cwd: dir, markdown: renderRunMarkdown(summary) };
    await publishRun(run, job, { without: new Set(["artifact"]), onPublished: () => {}, signal: new AbortController().signal, notes: [] });
    const comments = api.repository.comments.map(({ body }) => body);
    const left = event.kind === "pull_request" ? readFileSync(join(dir, "comment.json"), "utf8") : undefined;
    return { summary: readFileSync(summaryPath, "utf8"), comment: commentPlace(comments, said, left) };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function jobOf(event: GitHubEvent, place: { dir: string; summaryPath: string; apiUrl: string }, said: string[]): JobContext {
  const environment = readEnvironment(
    {
      GITHUB_WORKSPACE: place.dir,
      GITHUB_STEP_SUMMARY: place.summaryPath,
      GITHUB_API_URL: place.apiUrl,
      GITHUB_SERVER_URL: "https://github.com",
      GITHUB_REPOSITORY: "acme/agent",
      GITHUB_RUN_ID: "19283746",
      GITHUB_RUN_ATTEMPT: "1",
      GITHUB_JOB: "evals",
      GITHUB_SHA: commit,
      RUNNER_TEMP: place.dir,
    },
    place.dir,
  );
  const { inputs } = loadInputs({ INPUT_TASKS: "evals", "INPUT_GITHUB-TOKEN": "t0ken" }, environment, () => {});
  const say = (kind: string) => (message: string) => void said.push(`${kind}: ${message}`);
  const commands: Commands = {
    error: () => {},
    warning: say("warning"),
    notice: say("notice"),
    lines: (text, prefix) => void said.push(`${prefix}${text}`),
    mask: () => {},
  };
  return { environment, event, inputs, commands, env: {}, redactor: createRedactor([]) };
}

function commentPlace(comments: readonly string[], said: readonly string[], left: string | undefined): string {
  const lines = said.map((line) => `> ${line.replaceAll("\n", "\n> ")}\n`);
  const file = left === undefined ? "" : `\n\`comment.json\`:\n\n\`\`\`json\n${left}\`\`\`\n`;
  return `${comments.length} comments. The job says:\n\n${lines.join("\n")}${file}`;
}
