import { testRules } from "./rule-table.ts";

const one = (type: string, more: object) => ({ success_criteria: [{ type, description: "d", ...more }] });
const json = (assertion: object) => one("json_check", { path: "a", assertions: [{ expression: "x", ...assertion }] });
const called = (more: object) => one("cli_called", { tool: "uip", ...more });
const flag = (match: unknown) => called({ flags: { output: match } });

testRules("2.2", [
  { rule: "file_exists needs a path", refused: [[one("file_exists", {}), "success_criteria[0].path: required field 'path' is missing"]] },
  {
    rule: "file_contains needs includes, a list that may be empty",
    accepted: [one("file_contains", { path: "a", includes: [] })],
    refused: [
      [one("file_contains", { path: "a" }), "success_criteria[0].includes: required field 'includes' is missing"],
      [one("file_contains", { path: "a", includes: "x" }), "success_criteria[0].includes: found text 'x', expected a list"],
      [one("file_contains", { path: "a", includes: [1] }), "success_criteria[0].includes[0]: found the number 1, expected text"],
    ],
  },
  {
    rule: "run_command needs a command",
    refused: [[one("run_command", {}), "success_criteria[0].command: required field 'command' is missing"]],
  },
  {
    rule: "stdout_match is one of three words",
    refused: [
      [
        one("run_command", { command: "x", stdout_match: "exactly" }),
        "success_criteria[0].stdout_match: found text 'exactly', expected one of exact, contains, regex",
      ],
    ],
  },
  {
    rule: "score_from_stdout and expected_stdout exclude each other",
    accepted: [
      one("run_command", { command: "x", score_from_stdout: true }),
      one("run_command", { command: "x", score_from_stdout: false, expected_stdout: "1" }),
    ],
    refused: [
      [
        one("run_command", { command: "x", score_from_stdout: true, expected_stdout: "1" }),
        "success_criteria[0].expected_stdout: found text '1'; 'expected_stdout' and 'score_from_stdout' exclude each other: the first line of stdout is the score",
      ],
    ],
  },
  {
    rule: "file_matches_regex needs a pattern, its flags are Python's numbers",
    accepted: [one("file_matches_regex", { path: "a", pattern: "(", flags: 10 })],
    refused: [
      [one("file_matches_regex", { path: "a" }), "success_criteria[0].pattern: required field 'pattern' is missing"],
      [
        one("file_matches_regex", { path: "a", pattern: "x", flags: "IGNORECASE" }),
        "success_criteria[0].flags: found text 'IGNORECASE', expected a number",
      ],
    ],
  },
  {
    rule: "patterns of file_check are mappings",
    accepted: [one("file_check", { path: "a", patterns: [{ pattern: "x", must_match: false, flags: 2 }] })],
    refused: [
      [one("file_check", { path: "a", patterns: ["x"] }), "success_criteria[0].patterns[0]: found text 'x', expected a mapping"],
      [
        one("file_check", { path: "a", patterns: [{ regex: "x" }] }),
        "success_criteria[0].patterns[0].pattern: required field 'pattern' is missing\nsuccess_criteria[0].patterns[0].regex: unknown field 'regex'",
      ],
    ],
  },
  {
    rule: "an assertion's operator is one of ten words",
    refused: [
      [
        json({ operator: "==", expected: 1 }),
        "success_criteria[0].assertions[0].operator: found text '==', expected one of equals, not_equals, contains, gt, gte, lt, lte, type, regex, exists",
      ],
    ],
  },
  {
    rule: "an assertion needs expected except for exists",
    accepted: [json({ operator: "exists" }), json({ expected: null })],
    refused: [
      [json({}), "success_criteria[0].assertions[0].expected: 'expected' is required for operator 'equals'"],
      [json({ operator: "gt" }), "success_criteria[0].assertions[0].expected: 'expected' is required for operator 'gt'"],
    ],
  },
  {
    rule: "a text that must be contained has 8 characters at least",
    accepted: [json({ operator: "contains", expected: "12345678" }), json({ operator: "contains", expected: 1 })],
    refused: [
      [
        json({ operator: "contains", expected: " 1234567 " }),
        "success_criteria[0].assertions[0].expected: 'contains' needs a text of at least 8 characters (shorter ones match by accident), found \" 1234567 \"",
      ],
    ],
  },
  {
    rule: "comparison_method is one of three words, similarity_threshold 0 to 1",
    accepted: [
      { reference: { code: "" }, ...one("reference_comparison", { agent_file: "a", comparison_method: "token", similarity_threshold: 1 }) },
    ],
    refused: [
      [
        { reference: { code: "" }, ...one("reference_comparison", { agent_file: "a", comparison_method: "tokens" }) },
        "success_criteria[0].comparison_method: found text 'tokens', expected one of ast, token, complexity",
      ],
      [
        { reference: { code: "" }, ...one("reference_comparison", { agent_file: "a", similarity_threshold: 2 }) },
        "success_criteria[0].similarity_threshold: found the number 2, expected at most 1",
      ],
    ],
  },
  {
    rule: "min_count is from 0, max_count not below it",
    accepted: [one("command_executed", { min_count: 0, max_count: 0 }), one("command_executed", { max_count: 1 })],
    refused: [
      [one("command_executed", { min_count: -1 }), "success_criteria[0].min_count: found the number -1, expected at least 0"],
      [
        one("command_executed", { min_count: 2, max_count: 1 }),
        "success_criteria[0].max_count: 'max_count' must not be below 'min_count' (default 1)",
      ],
      [one("command_executed", { max_count: 0 }), "success_criteria[0].max_count: 'max_count' must not be below 'min_count' (default 1)"],
    ],
  },
  {
    rule: "command_not_executed always means 0 calls",
    accepted: [one("command_not_executed", { tool_name: "Bash", max_count: 0 })],
    refused: [
      [
        one("command_not_executed", { max_count: 1 }),
        "success_criteria[0].max_count: command_not_executed always means 0 calls; use command_executed for other counts",
      ],
    ],
  },
  {
    rule: "cli_called names something to look for",
    accepted: [called({}), one("cli_called", { positional: [] }), one("cli_called", { flags: { a: "b" } })],
    refused: [
      [one("cli_called", {}), "success_criteria[0]: cli_called needs at least one of verb, verb_any_of, positional, flags, tool"],
      [
        one("cli_called", { flags: {} }),
        "success_criteria[0]: cli_called needs at least one of verb, verb_any_of, positional, flags, tool",
      ],
    ],
  },
  {
    rule: "verb and verb_any_of exclude each other",
    accepted: [one("cli_called", { verb: "a" }), one("cli_called", { verb_any_of: ["a"] })],
    refused: [
      [
        one("cli_called", { verb: "a", verb_any_of: ["b"] }),
        "success_criteria[0].verb_any_of: 'verb' and 'verb_any_of' exclude each other",
      ],
    ],
  },
  {
    rule: "a flag is matched in exactly one way",
    accepted: [
      flag("json"),
      flag(1),
      flag(true),
      flag({ any_of: ["a", "b"] }),
      flag({ absent: true }),
      flag({ present: true }),
      flag({ matches_regex: "x", flags: 2, aliases: ["-o"] }),
      flag({ contains: "a", absent: false }),
    ],
    refused: [
      [
        flag({}),
        "success_criteria[0].flags.output: a flag takes exactly one of equals, contains, matches_regex, any_of, absent, present; found 0",
      ],
      [
        flag({ equals: "a", contains: "b" }),
        "success_criteria[0].flags.output: a flag takes exactly one of equals, contains, matches_regex, any_of, absent, present; found 2",
      ],
      [
        flag({ absent: true, present: true }),
        "success_criteria[0].flags.output: a flag takes exactly one of equals, contains, matches_regex, any_of, absent, present; found 2",
      ],
      [
        flag({ aliases: ["-o"] }),
        "success_criteria[0].flags.output: a flag takes exactly one of equals, contains, matches_regex, any_of, absent, present; found 0",
      ],
      [flag({ any_of: [] }), "success_criteria[0].flags.output.any_of: found 0 entries, expected at least 1"],
      [flag(["json"]), "success_criteria[0].flags.output: found a list of 1, expected a mapping"],
    ],
  },
  {
    rule: "cli_called with min_count 0 needs max_count",
    accepted: [called({ min_count: 0, max_count: 0 })],
    refused: [
      [called({ min_count: 0 }), "success_criteria[0].max_count: 'min_count: 0' needs a 'max_count': without one it always passes"],
    ],
  },
  {
    rule: "max_count of cli_called is not below min_count",
    refused: [
      [called({ min_count: 2, max_count: 1 }), "success_criteria[0].max_count: 'max_count' must not be below 'min_count' (default 1)"],
    ],
  },
  {
    rule: "commands_efficiency expects 1 command at least",
    refused: [
      [
        one("commands_efficiency", { expected_commands: 0 }),
        "success_criteria[0].expected_commands: found the number 0, expected at least 1",
      ],
      [one("commands_efficiency", {}), "success_criteria[0].expected_commands: required field 'expected_commands' is missing"],
    ],
  },
  {
    rule: "uipath_eval needs agent_name, eval_set and thresholds",
    refused: [
      [
        one("uipath_eval", {}),
        "success_criteria[0].agent_name: required field 'agent_name' is missing\nsuccess_criteria[0].eval_set: required field 'eval_set' is missing\nsuccess_criteria[0].thresholds: required field 'thresholds' is missing",
      ],
    ],
  },
  {
    rule: "classification_match allows 1 label at least",
    accepted: [one("classification_match", { path: "a", expected_label: "x", allowed_labels: ["y"] })],
    refused: [
      [
        one("classification_match", { path: "a", expected_label: "x", allowed_labels: [] }),
        "success_criteria[0].allowed_labels: found 0 entries, expected at least 1",
      ],
    ],
  },
  {
    rule: "skill_triggered needs both names",
    refused: [
      [
        one("skill_triggered", {}),
        "success_criteria[0].expected_skill: required field 'expected_skill' is missing\nsuccess_criteria[0].skill_name: required field 'skill_name' is missing",
      ],
    ],
  },
  {
    rule: "a judge needs a prompt",
    accepted: [one("agent_judge", { prompt: "" })],
    refused: [
      [one("llm_judge", {}), "success_criteria[0].prompt: required field 'prompt' is missing"],
      [one("agent_judge", {}), "success_criteria[0].prompt: required field 'prompt' is missing"],
    ],
  },
  {
    rule: "the temperature of an llm_judge is 0 to 2",
    accepted: [one("llm_judge", { prompt: "p", temperature: 2, model: null })],
    refused: [
      [one("llm_judge", { prompt: "p", temperature: 2.1 }), "success_criteria[0].temperature: found the number 2.1, expected at most 2"],
    ],
  },
  {
    rule: "a turn of an agent_judge has 10 seconds at least",
    accepted: [one("agent_judge", { prompt: "p", turn_timeout: 10 })],
    refused: [
      [one("agent_judge", { prompt: "p", turn_timeout: 9 }), "success_criteria[0].turn_timeout: found the number 9, expected at least 10"],
    ],
  },
  {
    rule: "verdict_channel was removed",
    refused: [
      [
        one("agent_judge", { prompt: "p", verdict_channel: "tool" }),
        "success_criteria[0].verdict_channel: 'verdict_channel' was removed: the verdict always comes through the submit_verdict tool; delete the key",
      ],
    ],
  },
]);
