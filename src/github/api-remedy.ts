import type { ApiFailure } from "./api-failure.ts";

export interface RefusedDeed {
  /** What did not work, as the start of a sentence: `the comment on #12 could not be written`. */
  readonly what: string;
  /** What the job's token needs for it. */
  readonly permissions: readonly string[];
  /** The job is of a pull request whose token can only read: of a fork, or of Dependabot. */
  readonly readOnly: boolean;
}

export interface Refusal {
  /** `forbidden`: GitHub understood, and the token may not. */
  readonly kind: "forbidden" | "failed";
  /** What happened and what to do. */
  readonly why: string;
}

/** Tells a failed request to a person: what did not work, what GitHub said, what to do. */
export function explainFailure(failure: ApiFailure, deed: RefusedDeed): Refusal {
  const said = `${deed.what} (${failure.message})`;
  const failed = (todo: string): Refusal => ({ kind: "failed", why: `${said}; ${todo}` });
  switch (failure.cause) {
    case "refused":
      return explainRefused(failure, deed, said);
    case "limited":
      return failed("GitHub limits how many requests a token may make: run fewer jobs at once, or give github-token another token");
    case "server":
      return failed("GitHub has trouble (see githubstatus.com): the next run tries again");
    case "unreachable":
      return failed("is GitHub's API reachable from this runner? A proxy is taken from https_proxy");
    case "out of time":
    case "stopped":
      return { kind: "failed", why: said };
    case "client":
      return failed("is the event's file (GITHUB_EVENT_PATH) whole? If so, this is a bug of evalbatch: please report it");
    default:
      return failure.cause satisfies never;
  }
}

function explainRefused({ status, message }: ApiFailure, deed: RefusedDeed, said: string): Refusal {
  const failed = (todo: string): Refusal => ({ kind: "failed", why: `${said}; ${todo}` });
  const forbidden = (todo: string): Refusal => ({ kind: "forbidden", why: `${said}; ${todo}` });
  if (status === 401) return failed("the token of the input github-token is wrong, expired, or of another server");
  if (status === 404) {
    return failed(`there is no such thing, or the token may not see it: in a private repository it needs\n${permissionsBlock(deed)}`);
  }
  if (status === 410) return failed("it was deleted, or the repository has its conversations switched off");
  if (status !== 403) return failed("this may be a bug of evalbatch: please report it");
  if (/\blocked\b/i.test(message)) return forbidden("the conversation is locked: unlock it, or set comment to never");
  if (/\bSAML\b|\bSSO\b/i.test(message))
    return forbidden("authorize the token of the input github-token for the organization's single sign-on");
  if (/personal access token/i.test(message)) {
    return forbidden(
      `give the personal access token of the input github-token these rights for the repository:\n${permissionsBlock(deed)}`,
    );
  }
  if (deed.readOnly) return forbidden(readOnlyToken);
  return forbidden(`give the job these permissions:\n${permissionsBlock(deed)}`);
}

const readOnlyToken =
  "this is expected: pull requests from forks and from Dependabot get a token that can only read. The results are in the job summary " +
  "and the artifact; a separate workflow on workflow_run can post the comment from the artifact's comment.json (see docs/action.md)";

function permissionsBlock({ permissions }: RefusedDeed): string {
  return ["permissions:", ...permissions.map((permission) => `  ${permission}`)].join("\n");
}
