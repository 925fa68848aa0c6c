import { isAbsolute } from "node:path";
import { z } from "zod";
import { InputError, type Issue } from "../errors.ts";
import type { AgentVersions } from "../kits/agent-versions.ts";
import { didYouMean } from "../plan/did-you-mean.ts";
import { type EnvProbe, parseEnvProbes } from "../plan/env-probes.ts";
import { atHome } from "../plan/expand-path.ts";
import { maxConcurrency, preservationModes } from "../plan/run-settings.ts";
import { failOnWords, type GatePolicy } from "../results/gate.ts";
import { type DriftPolicy, driftPolicies, type RetryPolicy, retryPolicies } from "../results/resume/resume-facts.ts";
import { looksSecret } from "../untrusted/secret-names.ts";
import type { Env, GitHubEnvironment } from "./environment.ts";
import { parseEnvLines, parseSetLines } from "./input-list.ts";
import { resolveInside } from "./input-paths.ts";
import {
  agentVersions,
  choice,
  choiceOr,
  count,
  flag,
  list,
  matrixLeg,
  optionalLine,
  optionalName,
  quote,
  runToResume,
  share,
  token,
} from "./input-types.ts";
import { overrideIssues, type SelectionInputs, selectionInputsOf, selectionSchemas } from "./selection-inputs.ts";

/** Days that GitHub keeps an artifact at most (90 in a public repository: the service says so itself). */
const maxRetentionDays = 400;

/** Whether a run continues an earlier one; `auto`: where there can be one. */
const resumeModes = ["auto", "true", "false"] as const;

/** The inputs of `action.yml`, each from its text; order and names are those of the file (a test holds them equal). */
const inputSchemas = {
  tasks: list.refine((patterns) => patterns.length > 0, "expected at least one file, folder or pattern, got none"),
  tags: list,
  "exclude-tags": list,
  "include-skipped": flag(false),
  ...selectionSchemas,
  driver: choice(["docker", "tempdir"]),
  image: optionalLine.refine((image) => image === undefined || !/^-|\s/.test(image), "expected an image reference such as node:24-slim"),
  "max-parallel": count(maxConcurrency),
  "run-dir": optionalLine,
  "working-directory": optionalLine,
  env: z.string().transform((text, context) => {
    const { variables, problems } = parseEnvLines(text);
    for (const message of problems) context.addIssue({ code: "custom", message });
    return variables;
  }),
  "env-probe": z.string().transform((text, context) => {
    const { probes, problems } = parseEnvProbes(parseSetLines(text));
    for (const message of problems) context.addIssue({ code: "custom", message });
    return probes;
  }),
  "agent-version": agentVersions,
  "preservation-mode": choice(preservationModes),
  "fail-on": choiceOr(failOnWords, "failure"),
  "min-pass-rate": share,
  "min-task-score": share,
  "allow-empty": flag(false),
  resume: choiceOr(resumeModes, "auto"),
  "resume-from": runToResume,
  retry: choiceOr(retryPolicies, "errors"),
  "on-drift": choiceOr(driftPolicies, "warn"),
  upload: choiceOr(["results", "all", "none"], "results"),
  "artifact-name": optionalName(200),
  "retention-days": count(maxRetentionDays),
  summary: flag(true),
  comment: choiceOr(["auto", "always", "never"], "auto"),
  "comment-key": optionalName(100),
  "github-token": token,
  "allow-unsafe-trigger": flag(false),
  "matrix-leg": matrixLeg,
} as const;

/** Names of all inputs, in the order of `action.yml`. */
export const inputNames: readonly string[] = Object.keys(inputSchemas);

const schema = z.object(inputSchemas);
type RawInputs = z.output<typeof schema>;

export interface Inputs {
  readonly tasks: readonly string[];
  readonly tags: readonly string[];
  readonly excludeTags: readonly string[];
  readonly includeSkipped: boolean;
  readonly selection: SelectionInputs;
  readonly maxParallel: number | undefined;
  /** Absolute, when given. */
  readonly runDir: string | undefined;
  /** Absolute; patterns are relative to it. */
  readonly workingDirectory: string;
  /** For the tasks; the values are secrets. */
  readonly taskEnv: Readonly<Record<string, string>>;
  /** Names of variables in `taskEnv` that should hold a secret and are empty, as in a fork's pull request. */
  readonly emptySecrets: readonly string[];
  readonly envProbes: readonly EnvProbe[];
  /** Undefined: the tried ones. */
  readonly agentVersions: AgentVersions | undefined;
  readonly preservationMode: RawInputs["preservation-mode"];
  readonly gate: GatePolicy;
  readonly resume: (typeof resumeModes)[number];
  /** Id of a workflow run, or `latest`. */
  readonly resumeFrom: string | undefined;
  readonly retry: RetryPolicy;
  readonly onDrift: DriftPolicy;
  readonly upload: "results" | "all" | "none";
  /** As given; to be made fit for the service. */
  readonly artifactName: string | undefined;
  readonly retentionDays: number | undefined;
  readonly summary: boolean;
  readonly comment: "auto" | "always" | "never";
  readonly commentKey: string | undefined;
  readonly githubToken: string | undefined;
  readonly allowUnsafeTrigger: boolean;
  /** JSON text of the job's matrix values. */
  readonly matrixLeg: string | undefined;
}

/** How the runner names the variable of an input. */
export const inputVariable = (name: string): string => `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;

/**
 * Reads and checks the inputs. Every text that may be secret is handed to `mask` before anything can be printed.
 * @returns the inputs, and warnings about unknown ones
 * @throws InputError with all problems, each naming its input, and those warnings (`required` in action.yml is not enforced by GitHub)
 */
export function loadInputs(
  env: Env,
  environment: Pick<GitHubEnvironment, "workspace">,
  mask: (secret: string) => void,
): { readonly inputs: Inputs; readonly warnings: readonly string[] } {
  // The token comes first: whatever a later problem prints, it is known to the runner by then.
  for (const secret of [textOf(env, "github-token"), ...parseEnvLines(textOf(env, "env")).secrets]) if (secret !== "") mask(secret);
  const raw = Object.fromEntries(inputNames.map((name) => [name, textOf(env, name)]));
  const parsed = schema.safeParse(raw);
  const issues = parsed.success ? [] : parsed.error.issues.map((issue) => issueOf(String(issue.path[0]), issue.message));
  if (raw["artifact-name"] === "" && env[inputVariable("artifact-name")]) {
    issues.push(issueOf("artifact-name", "it is blank; leave it out for a name made of job, matrix leg and attempt"));
  }
  issues.push(...overrideIssues(raw));
  const { workspace } = environment;
  const given = atHome(raw["working-directory"] ?? "", env);
  const working = resolveInside(workspace, given, [workspace], "directory");
  const roots = isAbsolute(given) ? [workspace, working.path] : [workspace];
  // The default may be a link as well.
  const run = resolveInside(working.path, atHome(raw["run-dir"] || env.RUNS_DIR || "runs", env), roots, "any");
  if (working.problem !== undefined) issues.push(issueOf("working-directory", working.problem));
  else if (run.problem !== undefined) issues.push(issueOf("run-dir", run.problem));
  else {
    // A bare name is looked up in the folder `experiments`.
    const experiment = raw.experiment ?? "";
    const isPath = /[\\/]|\.ya?ml$/i.test(experiment);
    const file = isPath ? resolveInside(working.path, atHome(experiment, env), roots, "any") : undefined;
    if (file?.problem !== undefined) issues.push(issueOf("experiment", file.problem));
  }
  const warnings = unknownInputs(env);
  if (!parsed.success || issues.length > 0) {
    // A mistyped name may be why an input is missing.
    throw new InputError([...issues, ...warnings.map((message): Issue => ({ severity: "warning", code: "unknown-input", message }))]);
  }
  return { inputs: inputsOf(parsed.data, working.path, raw["run-dir"] === "" ? undefined : run.path), warnings };
}

function inputsOf(data: RawInputs, workingDirectory: string, runDir: string | undefined): Inputs {
  return {
    tasks: data.tasks,
    tags: data.tags,
    excludeTags: data["exclude-tags"],
    includeSkipped: data["include-skipped"],
    selection: selectionInputsOf(data),
    maxParallel: data["max-parallel"],
    runDir,
    workingDirectory,
    taskEnv: data.env,
    emptySecrets: Object.keys(data.env).filter((name) => looksSecret(name) && data.env[name]?.trim() === ""),
    envProbes: data["env-probe"],
    agentVersions: data["agent-version"],
    preservationMode: data["preservation-mode"],
    gate: {
      failOn: data["fail-on"],
      minPassRate: data["min-pass-rate"],
      minTaskScore: data["min-task-score"],
      allowEmpty: data["allow-empty"],
    },
    resume: data.resume,
    resumeFrom: data["resume-from"],
    retry: data.retry,
    onDrift: data["on-drift"],
    upload: data.upload,
    artifactName: data["artifact-name"],
    retentionDays: data["retention-days"],
    summary: data.summary,
    comment: data.comment,
    commentKey: data["comment-key"],
    githubToken: data["github-token"],
    allowUnsafeTrigger: data["allow-unsafe-trigger"],
    matrixLeg: data["matrix-leg"],
  };
}

/** `env` keeps its ends: a value may begin or end with a space. */
function textOf(env: Env, name: string): string {
  const text = env[inputVariable(name)] ?? "";
  return name === "env" ? text : text.trim();
}

function issueOf(name: string, problem: string): Issue {
  return { severity: "error", code: "input", message: `input "${name}": ${problem}` };
}

/** The runner hands on inputs that `action.yml` does not know; a mistyped name would silently change the run. */
function unknownInputs(env: Env): string[] {
  const known = new Set(inputNames.map(inputVariable));
  return Object.keys(env)
    .filter((variable) => variable.startsWith("INPUT_") && !known.has(variable))
    .sort()
    .map((variable) => {
      const name = variable.slice("INPUT_".length).toLowerCase();
      const near = didYouMean(name, inputNames);
      return `unknown input ${quote(name)}${near === undefined ? "" : `; did you mean "${near}"?`}`;
    });
}
