import { splitLines, visibleText } from "../untrusted/characters.ts";
import { withoutSignature } from "./artifact-client.ts";

/** Why an upload failed, and what to do. */
export interface ArtifactFailure {
  /** `taken`: another name may work. */
  readonly kind: "taken" | "other";
  readonly why: string;
  readonly remedy: string;
}

interface Case {
  readonly pattern: RegExp;
  readonly kind?: "taken";
  readonly why?: string;
  readonly remedy: string;
}

const standardRemedy = "the files are still in the run directory of this runner; re-run the job, or see https://www.githubstatus.com";
const maxChars = 500;

const unreachable = /Unable to make request: [A-Z]+|\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN)\b/;
const wrongToken = /Failed to get backend IDs|Invalid token specified|Invalid URL|\((?:401|403)\)/;

/**
 * The client has classes for a full quota and for a dead network, but wraps most of them into a plain Error on the way out
 * (artifact-twirp-client.ts, `request`): only the text tells them apart. Read in this order.
 */
const cases: readonly Case[] = [
  {
    pattern: /\(409\)/,
    kind: "taken",
    why: "the name is taken in this run",
    remedy: "give every job its own `artifact-name`",
  },
  {
    pattern: /storage quota has been hit|insufficient usage/i,
    why: "the storage for artifacts is used up",
    remedy: "delete old artifacts, lower `retention-days` or raise the spending limit; GitHub counts anew only every 6 to 12 hours",
  },
  {
    pattern: unreachable,
    remedy:
      "let the runner reach *.actions.githubusercontent.com and *.blob.core.windows.net (firewall, `https_proxy` and `no_proxy` of a self-hosted runner)",
  },
  {
    pattern: /Upload progress stalled/,
    why: "the upload stood still",
    remedy: "re-run the job; on a slow connection raise ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS (milliseconds without progress)",
  },
  {
    pattern: wrongToken,
    remedy:
      "the token for artifacts (ACTIONS_RUNTIME_TOKEN) and its address come from the runner and end with the job: do not set or keep them yourself",
  },
  {
    pattern: /is not valid: .*Contains the following character|does not exist$/s,
    remedy: "a file of the run changed while it was uploaded, or has a name that the service refuses; please report this",
  },
];

/** Reads the message of a failed upload. */
export function explainUploadFailure(message: string): ArtifactFailure {
  return explain(message, cases, standardRemedy);
}

const readCases: readonly Case[] = [
  {
    pattern: /not found|expired|No artifacts found|\((?:404|410)\)|blob storage: (?:404|410)/i,
    why: "it was deleted or has expired",
    remedy: "a longer `retention-days` keeps it",
  },
  ...cases.filter(({ pattern }) => unreachable === pattern || wrongToken === pattern),
];

/** Reads the message of a list or download that failed. */
export function explainReadFailure(message: string): Pick<ArtifactFailure, "why" | "remedy"> {
  return explain(message, readCases, "re-run the job, or see https://www.githubstatus.com");
}

function explain(message: string, known: readonly Case[], usual: string): ArtifactFailure {
  const text = shortened(message);
  const found = known.find(({ pattern }) => pattern.test(message));
  return { kind: found?.kind ?? "other", why: found?.why ?? text, remedy: found?.remedy ?? usual };
}

/** The first line: what follows in the client's messages are lists and links. */
function shortened(message: string): string {
  const line = withoutSignature(splitLines(visibleText(message).trim())[0] ?? "")
    .replace(/^Failed to (\w+): (?:Received non-retryable error: )?/, "$1: ")
    .replace(/[\s.]+$/, "");
  if (line === "") return "the client gives no reason";
  return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** Why this job cannot upload though nothing is wrong, and what to do instead; undefined when it can. */
export function whyUnavailable(serverUrl: string, env: Variables): string | undefined {
  if (isEnterpriseServer(serverUrl)) {
    return `${withoutCredentials(serverUrl)} is an enterprise server, whose artifacts this action cannot write; the results stay in the run directory: add a step with actions/upload-artifact@v3, \`if: always()\` and \`path: \${{ steps.<id>.outputs.run-dir }}\``;
  }
  const missing = missingVariables(env);
  if (missing.length === 0) return undefined;
  return `there is no ${missing.join(" and no ")}: GitHub gives them to a step with \`uses:\`, not to one with \`run:\`, and not outside of a job; the results stay in the run directory: use the action itself, or add a step with actions/upload-artifact, \`if: always()\` and the run directory as \`path\``;
}

type Variables = { readonly [name: string]: string | undefined };

/** What the runner should have given to the step for its artifacts. */
export function missingVariables(env: Variables): string[] {
  return ["ACTIONS_RUNTIME_TOKEN", "ACTIONS_RESULTS_URL"].filter((name) => (env[name] ?? "") === "");
}

/** As GitHub's client decides it (actions/toolkit, artifact, config.ts, `isGhes`): it refuses every other host. */
export function isEnterpriseServer(serverUrl: string): boolean {
  const host = URL.parse(serverUrl)?.hostname.toLowerCase() ?? "";
  return !(host === "github.com" || host.endsWith(".ghe.com") || host.endsWith(".localhost"));
}

export function withoutCredentials(url: string): string {
  return URL.parse(url)?.origin ?? "the server";
}
