import { getAgent } from "../agents/registry.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { titleWithColon } from "../report/overview-title.ts";
import { inlineCode, joinMarkdown, md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { looksSecret } from "../untrusted/secret-names.ts";

/** Nothing was run, and nobody is to blame: the job of a fork's pull request gets no secrets, and the tasks need one. */
export class RunSkipped extends Error {
  /** Names of the variables that are empty. */
  readonly names: readonly string[];
  constructor(names: readonly string[]) {
    super(
      `skipped: the secrets that the tasks need are empty (${names.join(", ")}), as in every pull request from a fork or of Dependabot`,
    );
    this.name = "RunSkipped";
    this.names = names;
  }
}

/**
 * Variables that the tasks' allow-lists and agents take from the host, whose names say that they are secrets, and that are set to nothing. That is
 * what `NAME: ${{ secrets.NAME }}` gives where there are no secrets; running with them would turn a missing key into a failed task.
 */
export function emptySecretsOf(tasks: readonly ResolvedTask[], env: Readonly<Record<string, string | undefined>>): string[] {
  const names = tasks.flatMap(({ task: { agent, sandbox } }) => [
    ...sandbox.docker.env_passthrough,
    ...sandbox.docker.env_passthrough_extra,
    ...(getAgent(agent.type ?? "none").cli?.credentials ?? []),
  ]);
  return [...new Set(names)].filter((name) => env[name] === "" && looksSecret(name)).sort();
}

/** What the job summary says instead of a report. */
export function skippedMarkdown(title: string, names: readonly string[]): SafeMarkdown {
  const list = joinMarkdown(
    names.map((name) => inlineCode(name, 100)),
    md`, `,
  );
  return md`## ⏭️ ${titleWithColon(title)} skipped

Nothing was run. This pull request comes from a fork or from Dependabot, whose jobs get no secrets, and the tasks need one: ${list} is empty. That says nothing about the change.

`;
}
