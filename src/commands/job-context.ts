import type { Commands } from "../github/commands.ts";
import type { Env, GitHubEnvironment } from "../github/environment.ts";
import { type GitHubEvent, readEvent } from "../github/event.ts";
import { type Inputs, loadInputs } from "../github/inputs.ts";
import { createRedactor, type Redactor } from "../untrusted/redact.ts";
import { hostSecrets } from "./host-secrets.ts";

/** What every part of the action works with: the job it runs in, and what its workflow asked for. */
export interface JobContext {
  readonly environment: GitHubEnvironment;
  readonly event: GitHubEvent;
  readonly inputs: Inputs;
  readonly commands: Commands;
  /** The process's own environment. */
  readonly env: Env;
  /** For everything that leaves. */
  readonly redactor: Redactor;
}

/**
 * Everything that is known before a task file is read. Secrets are masked before anything can print them.
 * @param known secrets that nothing else tells of
 */
export function openJob(
  host: NodeJS.Process,
  environment: GitHubEnvironment,
  commands: Commands,
  known: readonly string[] = [],
): JobContext {
  const secrets = [...hostSecrets(host.env), ...known];
  for (const secret of secrets) commands.mask(secret);
  const { inputs, warnings } = loadInputs(host.env, environment, commands.mask);
  for (const warning of warnings) commands.warning(warning);
  const { event, warning } = readEvent(environment);
  if (warning !== undefined) commands.warning(warning);
  const redactor = createRedactor([...secrets, ...Object.values(inputs.taskEnv)]);
  return { environment, event, inputs, commands, env: host.env, redactor };
}

/** A name for the run on a page that may show several: workflow, job and leg of the matrix. Foreign text. */
export function titleOf({ environment, inputs }: Pick<JobContext, "environment" | "inputs">): string {
  if (inputs.commentKey !== undefined) return inputs.commentKey;
  const { workflow, job } = environment;
  const names = [workflow, job].filter((name, index, all) => name !== undefined && all.indexOf(name) === index);
  const leg = legText(inputs.matrixLeg);
  return `${names.length === 0 ? "evalbatch" : names.join(" / ")}${leg === "" ? "" : ` (${leg})`}`;
}

/** The values of a matrix leg in their order, as GitHub shows them behind the job's name. */
function legText(leg: string | undefined): string {
  if (leg === undefined) return "";
  try {
    const values: string[] = [];
    JSON.parse(leg, (_key, value: unknown) => {
      if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") values.push(String(value));
      return value;
    });
    return values.join(", ");
  } catch {
    return leg;
  }
}

/** What the name of the job's artifact is made of, secrets hidden. */
export function artifactNameParts({ environment, inputs, redactor }: Pick<JobContext, "environment" | "inputs" | "redactor">) {
  const shown = (text: string | undefined) => (text === undefined ? undefined : redactor.redact(text).text);
  return { given: shown(inputs.artifactName), job: shown(environment.job), leg: shown(inputs.matrixLeg) };
}

/** Page of this run of the workflow; undefined outside of a job. */
export function runUrlOf(environment: GitHubEnvironment): string | undefined {
  const { serverUrl, repository, runId, runAttempt } = environment;
  if (repository === undefined || runId === undefined) return undefined;
  return `${serverUrl}/${repository}/actions/runs/${runId}${runAttempt > 1 ? `/attempts/${runAttempt}` : ""}`;
}

/** The commit that was evaluated: of a pull request its head, not the merge commit made for it. */
export function commitOf({ environment, event }: Pick<JobContext, "environment" | "event">): string | undefined {
  if (event.kind === "push") return event.sha;
  return event.kind === "other" ? environment.sha : event.headSha;
}
