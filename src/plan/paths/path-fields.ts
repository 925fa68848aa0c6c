/** What a relative path of a field is relative to. */
export type PathBase =
  /** The folder of the file that sets it: the task file, or the experiment file. */
  | "file"
  /** The sandbox: the agent's working directory. */
  | "sandbox"
  /** Nothing: it has to be absolute. */
  | "host";

/** A field that holds a path, and the one place that says what becomes of it (formats.md 1 head, 1.3, 1.4, 1.6, 1.7, 9.3). */
export interface PathField {
  /** In the words of messages; `[]` stands for every entry of a list, `{}` for every value of a mapping. */
  readonly field: string;
  readonly base: PathBase;
  /** `$NAME`, `${NAME}` and a leading `~` are replaced. */
  readonly expands: boolean;
  /**
   * `load`: a variable that is not set is an error. `plan`: it is a warning about the resolved task, since another layer or
   * the driver may make the value useless, and coder_eval looks at it during the run only.
   */
  readonly expandedAt: "load" | "plan" | "never";
  /**
   * What task.json and lineage hold. `inlined`: the file's text takes the place of its name. `absolute`: with POSIX separators.
   * `as written`: expanded when it is used. `as named`: absolute, unless its variables make it so: then as written, so that
   * records of two machines are the same, as in 0.8.2.
   */
  readonly stored: "inlined" | "absolute" | "as named" | "as written";
  /** What has to be there; undefined where nothing is looked for before the run. */
  readonly wanted?: { readonly what: "file" | "folder"; readonly noun: string } | undefined;
  /** What it means that nothing is there: an error of the file, or a warning that says what will happen. */
  readonly missing?:
    | { readonly severity: "error"; readonly code: string }
    | { readonly severity: "warning"; readonly code: string; readonly outcome: string }
    | undefined;
}

const prompt = { base: "file", expands: true, expandedAt: "load", stored: "inlined" } as const;
const missingFile = { severity: "error", code: "missing-file" } as const;

/** A missing reference is found when criteria are judged, as in 0.8.2. */
const missingReference = {
  severity: "warning",
  code: "missing-reference",
  outcome: "the task will end in an error when it is graded",
} as const;

/** Every field of a task or an experiment that holds a path. */
export const pathFields: readonly PathField[] = [
  { field: "initial_prompt_file", ...prompt, wanted: { what: "file", noun: "file" }, missing: missingFile },
  { field: "agent.system_prompt_file", ...prompt, wanted: { what: "file", noun: "file" }, missing: missingFile },
  {
    field: "agent.plugins[].path",
    base: "file",
    expands: true,
    expandedAt: "plan",
    stored: "as named",
    wanted: { what: "folder", noun: "plugin folder" },
    missing: { severity: "warning", code: "missing-plugin", outcome: "the agent will run without it" },
  },
  // The agent's own command line reads it, from where the agent works; text that begins with `{` is JSON.
  { field: "agent.claude_settings", base: "sandbox", expands: false, expandedAt: "never", stored: "as written" },
  {
    field: "sandbox.template_sources[].path",
    base: "file",
    expands: true,
    expandedAt: "load",
    stored: "absolute",
    wanted: { what: "folder", noun: "template folder" },
    missing: { severity: "warning", code: "missing-template", outcome: "the task will end in an error" },
  },
  {
    field: "sandbox.docker.dockerfile_path",
    base: "file",
    expands: true,
    expandedAt: "load",
    stored: "absolute",
    wanted: { what: "file", noun: "Dockerfile" },
    missing: missingFile,
  },
  { field: "sandbox.docker.build.args{}", base: "host", expands: true, expandedAt: "plan", stored: "as written" },
  {
    field: "sandbox.docker.extra_mounts[]",
    base: "host",
    expands: true,
    expandedAt: "plan",
    stored: "as written",
    wanted: { what: "folder", noun: "mount source" },
    missing: { severity: "warning", code: "missing-mount", outcome: "the task will end in an error" },
  },
  { field: "sandbox.mock_path_dirs[]", base: "sandbox", expands: false, expandedAt: "never", stored: "as written" },
  {
    field: "reference.file",
    base: "file",
    expands: true,
    expandedAt: "load",
    stored: "as written",
    wanted: { what: "file", noun: "reference file" },
    missing: missingReference,
  },
  {
    field: "reference.directory",
    base: "file",
    expands: true,
    expandedAt: "load",
    stored: "as written",
    wanted: { what: "folder", noun: "reference directory" },
    missing: missingReference,
  },
  // Read where the rows are made.
  {
    field: "dataset.paths[]",
    base: "file",
    expands: true,
    expandedAt: "load",
    stored: "as written",
    wanted: { what: "file", noun: "dataset file" },
    missing: missingFile,
  },
  // `$TASK_DIR` at the beginning is the folder of the task file; it is no variable of the environment.
  {
    field: "success_criteria[].files[]",
    base: "sandbox",
    expands: false,
    expandedAt: "never",
    stored: "as written",
    wanted: { what: "file", noun: "file" },
    missing: { severity: "warning", code: "missing-file", outcome: "the judge will be told that it was not found" },
  },
  { field: "success_criteria[].path", base: "sandbox", expands: false, expandedAt: "never", stored: "as written" },
  { field: "success_criteria[].json_schema", base: "sandbox", expands: false, expandedAt: "never", stored: "as written" },
];

/** The steps of a field's name below its first `depth` steps: `["template_sources", "[]", "path"]`. */
export function stepsOf(field: string, depth: number): readonly string[] {
  return field.replaceAll("[]", ".[]").replaceAll("{}", ".{}").split(".").slice(depth);
}
