import type { FieldDocs } from "./field-text.ts";

const flags = "Flags of Python's `re` as a number: 2 ignores case, 8 is multi-line, 16 lets `.` match line ends. Their sum for several.";

/** Fields of all criteria, and of those that look at files and commands. */
export const criteriaDocs: FieldDocs = {
  "success_criteria[].type": "Kind of criterion; it decides which further fields there are.",
  "success_criteria[].description": "What is asked for, in the words of reports.",
  "success_criteria[].weight": "Share in the weighted score. 0: the criterion informs and decides nothing.",
  "success_criteria[].pass_threshold": "Score, 0 to 1, that the criterion has to reach.",
  "success_criteria[].suite_thresholds":
    "Least values of metrics over all rows of the dataset, such as `accuracy: 0.8`; below one, the suite fails.",
  "success_criteria[]<file_exists>": "1 when there is something at the path, a folder too.",
  "success_criteria[].path": "Path in the sandbox. `*`, `?` and `[…]` are patterns unless a file has that very name.",
  "success_criteria[]<file_contains>": "Texts that a file has to hold, and texts that it must not.",
  "success_criteria[]<file_contains>.includes": "Texts that must be there; may be empty. The score is the share that is found.",
  "success_criteria[]<file_contains>.excludes": "Texts that must not be there; the share that is absent counts as much as `includes`.",
  "success_criteria[]<file_check>": "Texts and patterns in a file. The score is the mean of the kinds in use.",
  "success_criteria[]<file_check>.includes": "Texts that must be there.",
  "success_criteria[]<file_check>.excludes": "Texts that must not be there.",
  "success_criteria[]<file_check>.patterns": "Regular expressions that are searched for.",
  "success_criteria[]<file_check>.patterns[].pattern": "Regular expression of Python.",
  "success_criteria[]<file_check>.patterns[].must_match": "`false`: the pattern must not be found.",
  "success_criteria[]<file_check>.patterns[].flags": flags,
  "success_criteria[]<file_matches_regex>": "One regular expression that is searched for in a file.",
  "success_criteria[]<file_matches_regex>.pattern": "Regular expression of Python.",
  "success_criteria[]<file_matches_regex>.must_match": "`false`: the pattern must not be found.",
  "success_criteria[]<file_matches_regex>.flags": flags,
  "success_criteria[]<json_check>": "A JSON file: valid, of the form of a JSON Schema, with the values that are asserted.",
  "success_criteria[]<json_check>.json_schema": "JSON Schema that the file must fit: a file in the sandbox.",
  "success_criteria[]<json_check>.assertions": "What has to hold; the score is the share that does.",
  "success_criteria[]<json_check>.assertions[].expression": "JMESPath expression that finds a value in the file.",
  "success_criteria[]<json_check>.assertions[].operator": "How the value is compared with `expected`.",
  "success_criteria[]<json_check>.assertions[].expected":
    "What it is compared with; required unless the operator is `exists`. A text for `contains` has at least 8 characters.",
  "success_criteria[]<run_command>": "A command in the sandbox: its exit code, its output, or the score that it prints.",
  "success_criteria[]<run_command>.command":
    "Line of shell, run in the working directory after the agent has ended. `$TASK_DIR` is the folder of the task file.",
  "success_criteria[]<run_command>.timeout": "Seconds that the command may take; over it, it has failed.",
  "success_criteria[]<run_command>.expected_exit_code": "Exit code that the command must have.",
  "success_criteria[]<run_command>.expected_stdout": "What the command must print. Text: put a number into quotes.",
  "success_criteria[]<run_command>.stdout_match":
    "`exact` and `contains` ignore blank space at both ends; `regex` searches for a regular expression of Python.",
  "success_criteria[]<run_command>.score_from_stdout": "The first line of the output is the score, 0 to 1. Excludes `expected_stdout`.",
  "success_criteria[]<run_command>.read_only": "A promise that the command changes nothing; without effect here (since 0.12.16).",
  "success_criteria[]<classification_match>": "A file that holds one label out of a list.",
  "success_criteria[]<classification_match>.expected_label": "The right label.",
  "success_criteria[]<classification_match>.allowed_labels": "All labels; another text counts as `(other)`, an empty file as `(none)`.",
  "success_criteria[]<classification_match>.case_sensitive": "Whether `Bug` and `bug` are two labels.",
};
