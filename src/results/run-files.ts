import { fileNames } from "./layout.ts";

/** What of a run directory leaves this machine. */
export type RunFileSelection =
  | { readonly kind: "take"; readonly rank: number; readonly group?: string | undefined }
  | { readonly kind: "leave"; readonly reason: string | undefined };

export type SelectRunFiles = (path: string, kind: "file" | "directory", names?: readonly string[]) => RunFileSelection;

/** Lower first, so that what a reader needs most is lost last when there is too much. */
const ranks = { run: 0, overview: 1, result: 2, reports: 3, log: 4, details: 5, copies: 6, artifacts: 7 } as const;

/** Files of a run directory itself, ours and those that coder_eval writes (formats.md 4). */
const ofRun = new Map<string, number>([
  [fileNames.run, ranks.run],
  // Without them a later attempt cannot go on with the run.
  [fileNames.plan, ranks.run],
  [fileNames.fingerprint, ranks.run],
  [fileNames.markdown, ranks.overview],
  [fileNames.comment, ranks.overview],
  [fileNames.html, ranks.reports],
  [fileNames.experiment, ranks.reports],
  [fileNames.experimentMarkdown, ranks.reports],
  ["experiment.html", ranks.reports],
  // All the logs of tasks once more.
  [fileNames.experimentLog, ranks.copies],
]);
const ofVariant: ReadonlySet<string> = new Set([fileNames.variant, fileNames.variantMarkdown, "variant.html"]);
const ofSuite: ReadonlySet<string> = new Set(["suite.json", "suite.md", "suite.html"]);
const ofRow = new Map<string, number>([
  [fileNames.task, ranks.result],
  [fileNames.attempts, ranks.result],
  [fileNames.taskLog, ranks.log],
  [fileNames.dockerLog, ranks.details],
  [fileNames.conversation, ranks.details],
  [fileNames.agentStream, ranks.details],
  ["task.execute.json", ranks.details],
  ["task.json.malformed", ranks.details],
  ["task.json.unhonored", ranks.details],
  ["grade.log", ranks.details],
  ["grade.docker.log", ranks.details],
  ["prior.json", ranks.details],
  ["task.html", ranks.copies],
  [fileNames.previousTask, ranks.copies],
]);
const judgeFile = /^(?:post-failure-)?judge-\d{1,6}\.yaml$/;

const silently: RunFileSelection = { kind: "leave", reason: undefined };
const leave = (reason: string): RunFileSelection => ({ kind: "leave", reason });

/** Trees that can be made again. */
const dependencies: ReadonlySet<string> = new Set(["node_modules", "__pycache__", "venv", "site-packages"]);
/** Never above a row: where a checkout is the run directory, nobody wants to wait until they were walked. */
const neverAboveRows: ReadonlySet<string> = new Set(["node_modules", "__pycache__", ".git", ".hg", ".svn", ".venv"]);

/**
 * Chooses by the known layout alone, so that nothing of a checkout that serves as run directory leaves with it. `results`: reports, results and
 * logs. `all`: also what tasks left below `artifacts/`, but for what is hidden, credentials and dependencies. Runs inside the run directory are
 * their own: as readers of results do, this leaves them alone. The group of a file is the directory of its row.
 */
export function selectRunFiles(mode: "results" | "all"): SelectRunFiles {
  return (path, kind, names) => {
    const parts = path.split("/");
    const inArtifacts = artifactsOf(parts);
    if (inArtifacts !== undefined) return mode === "all" ? selectArtifact(inArtifacts, kind) : silently;
    return kind === "directory" ? selectDirectory(parts, names) : selectFile(parts);
  };
}

function selectDirectory(parts: readonly string[], names: readonly string[] | undefined): RunFileSelection {
  if (parts.some((part) => neverAboveRows.has(part))) return silently;
  if (names?.includes(fileNames.run) === true) return leave("another run");
  return { kind: "take", rank: ranks.run };
}

function selectFile(parts: readonly string[]): RunFileSelection {
  const name = parts.at(-1) ?? "";
  const above = parts.slice(0, -1);
  const take = (rank: number | undefined, group?: string): RunFileSelection =>
    rank === undefined ? silently : { kind: "take", rank, group };
  if (above.length === 0) return take(ofRun.get(name));
  if (isRow(above)) return take(judgeFile.test(name) ? ranks.details : ofRow.get(name), above.join("/"));
  if (above.length === 1 && ofVariant.has(name)) return take(ranks.reports);
  return take(above.length > 1 && ofSuite.has(name) ? ranks.reports : undefined);
}

/** `<variant>/<task id, may have several parts>/<NN>` */
function isRow(parts: readonly string[]): boolean {
  return parts.length >= 3 && /^\d{2,9}$/.test(parts.at(-1) ?? "");
}

interface ArtifactPath {
  readonly row: string;
  /** What is below `artifacts/` and no part of the task's own directory there. */
  readonly below: readonly string[];
}

function artifactsOf(parts: readonly string[]): ArtifactPath | undefined {
  const at = parts.findIndex((part, index) => part === fileNames.artifacts && isRow(parts.slice(0, index)));
  if (at < 0) return undefined;
  const task = parts.slice(1, at - 1);
  const below = parts.slice(at + 1);
  // Files are kept in `artifacts/<task id>`, which is no choice of the agent.
  const shared = task.findIndex((part, index) => part !== below[index]);
  return { row: parts.slice(0, at).join("/"), below: below.slice(shared < 0 ? task.length : shared) };
}

function selectArtifact({ row, below }: ArtifactPath, kind: "file" | "directory"): RunFileSelection {
  for (const [index, part] of below.entries()) {
    const isDirectory = kind === "directory" || index < below.length - 1;
    if (isDirectory && dependencies.has(part)) return leave("dependencies");
    if (part.startsWith(".")) return leave(part === ".venv" ? "dependencies" : "hidden");
    if (/^gha-creds-.*\.json$/i.test(part)) return leave("credentials");
  }
  return { kind: "take", rank: ranks.artifacts, group: row };
}
