import { assertNever } from "../errors.ts";
import type { GitHubEvent } from "./event.ts";

/** Anyone can start these with a text of their own, and the workflow has the repository's secrets and token. */
const openToStrangers: ReadonlySet<string> = new Set([
  "commit_comment",
  "discussion",
  "discussion_comment",
  "gollum",
  "issue_comment",
  "issues",
]);

/**
 * Tells why a workflow with this trigger should not run evaluations: it has secrets, while what it works on may come from
 * a stranger (securitylab.github.com, "Preventing pwn requests"). Undefined when the trigger is fine: those of a pull
 * request give a fork neither secrets nor a token that writes.
 */
export function unsafeTrigger(event: GitHubEvent): string | undefined {
  const danger = dangerOf(event);
  if (danger === undefined) return undefined;
  return `${danger}; run evaluations on pull_request instead, or set allow-unsafe-trigger if nothing of a stranger can reach this job (see docs/action.md)`;
}

function dangerOf(event: GitHubEvent): string | undefined {
  switch (event.kind) {
    case "pull_request":
      return event.name === "pull_request_target" ? pullRequestTarget : undefined;
    case "workflow_run":
      return dangerOfRun(event);
    case "other":
      return dangerOfName(event.name);
    case "push":
    case "merge_group":
      return undefined;
    default:
      return assertNever(event);
  }
}

const pullRequestTarget =
  "the trigger pull_request_target gives this job the repository's secrets, while the code of the pull request may be a stranger's";

/** The name alone: for events whose payload has nothing to add, or could not be read. */
function dangerOfName(name: string | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (name === "pull_request_target") return pullRequestTarget;
  if (name === "workflow_run") return unknownRun;
  if (openToStrangers.has(name))
    return `the trigger ${name} gives this job the repository's secrets, while anyone can start it with a text of their own`;
  return undefined;
}

const unknownRun =
  "the trigger workflow_run gives this job the repository's secrets, while the event does not tell where the run before it came from";

function dangerOfRun({ fork, startedBy }: Extract<GitHubEvent, { kind: "workflow_run" }>): string | undefined {
  if (startedBy === undefined) return unknownRun;
  if (fork) return "the trigger workflow_run gives this job the repository's secrets, while the run before it was of another repository";
  const danger = dangerOfName(startedBy);
  return danger === undefined ? undefined : `the run before this one was started by ${startedBy}: ${danger}`;
}
