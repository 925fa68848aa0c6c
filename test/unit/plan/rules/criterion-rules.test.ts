import { criterion, testRules } from "./rule-table.ts";

const one = (type: string, more: object) => ({ success_criteria: [{ type, description: "d", ...more }] });
const exists = (more: object) => ({ success_criteria: [{ ...criterion, ...more }] });
const called = (more: object) => one("cli_called", { tool: "uip", ...more });
const skill = { expected_skill: "a", skill_name: "a" };
const suite = { dataset: { rows: [{ id: "a" }] } };

testRules("2.1", [
  {
    rule: "a criterion has a type of the list",
    refused: [
      [exists({ type: undefined }), "success_criteria[0].type: required field 'type' is missing"],
      [
        exists({ type: "file_exist" }),
        "success_criteria[0].type: found text 'file_exist'; unknown criterion type, expected one of file_exists, file_contains, file_check, file_matches_regex, json_check, run_command, classification_match, reference_comparison, command_executed, command_not_executed, cli_called, commands_efficiency, skill_triggered, uipath_eval, llm_judge, agent_judge, system_one_judge",
      ],
      [{ success_criteria: ["file_exists"] }, "success_criteria[0]: found text 'file_exists', expected a mapping"],
    ],
  },
  {
    rule: "a criterion has a description",
    refused: [
      [
        { success_criteria: [{ type: "file_exists", path: "a" }] },
        "success_criteria[0].description: required field 'description' is missing",
      ],
    ],
  },
  {
    rule: "a weight is a finite number from 0",
    accepted: [exists({ weight: 0.5 }), exists({ weight: 0 }), exists({ weight: "2" })],
    refused: [
      [exists({ weight: -1 }), "success_criteria[0].weight: found the number -1, expected at least 0"],
      [exists({ weight: Number.POSITIVE_INFINITY }), "success_criteria[0].weight: found the number Infinity, expected a number"],
      [exists({ weight: null }), "success_criteria[0].weight: found null, expected a number"],
    ],
  },
  {
    rule: "a pass_threshold is 0 to 1",
    accepted: [exists({ pass_threshold: 0 }), exists({ pass_threshold: 1 })],
    refused: [
      [exists({ pass_threshold: 1.5 }), "success_criteria[0].pass_threshold: found the number 1.5, expected at most 1"],
      [exists({ pass_threshold: 90 }), "success_criteria[0].pass_threshold: found the number 90, expected at most 1"],
    ],
  },
  {
    rule: "suite_thresholds map metrics to numbers",
    accepted: [{ ...suite, ...exists({ suite_thresholds: { mean: "0.5" } }) }],
    refused: [
      [
        { ...suite, ...exists({ suite_thresholds: { mean: "high" } }) },
        "success_criteria[0].suite_thresholds.mean: found text 'high', expected a number",
      ],
      [{ ...suite, ...exists({ suite_thresholds: [0.5] }) }, "success_criteria[0].suite_thresholds: found a list of 1, expected a mapping"],
    ],
  },
  {
    rule: "a criterion of weight 0 gates no suite",
    accepted: [{ ...suite, ...exists({ weight: 0, suite_thresholds: {} }) }],
    refused: [
      [
        { ...suite, ...exists({ weight: 0, suite_thresholds: { mean: 1 } }) },
        "success_criteria[0].suite_thresholds: the criterion is informational (weight: 0), it can not carry 'suite_thresholds'",
      ],
    ],
  },
  {
    rule: "a criterion of weight 0 stops no run",
    refused: [
      [
        one("skill_triggered", { ...skill, weight: 0, stop_early: {} }),
        "success_criteria[0].stop_early: the criterion is informational (weight: 0), it can not carry 'stop_early'",
      ],
    ],
  },
  {
    rule: "only criteria that tool calls decide stop a run",
    accepted: [
      one("skill_triggered", { ...skill, stop_early: {} }),
      one("command_executed", { stop_early: {} }),
      one("command_executed", { stop_early: null }),
    ],
    refused: [
      [
        exists({ stop_early: {} }),
        "success_criteria[0].stop_early: 'stop_early' is only for command_executed and skill_triggered, which can be decided during the run",
      ],
      [
        called({ stop_early: {} }),
        "success_criteria[0].stop_early: 'stop_early' is only for command_executed and skill_triggered, which can be decided during the run",
      ],
      [
        exists({ stop_when: "pass" }),
        "success_criteria[0].stop_when: 'stop_when' is only for command_executed and skill_triggered, which can be decided during the run",
      ],
    ],
  },
]);

const armed = one("command_executed", { stop_early: {} });
const dialog = { simulation: { enabled: true, persona: "p", goal: "g" } };

testRules("2.3", [
  {
    rule: "on_pass is stop or continue, decide_within at least 1",
    accepted: [one("command_executed", { stop_early: { on_pass: "stop", decide_within: 1 } })],
    refused: [
      [
        one("command_executed", { stop_early: { on_pass: "halt" } }),
        "success_criteria[0].stop_early.on_pass: found text 'halt', expected one of stop, continue",
      ],
      [
        one("command_executed", { stop_early: { decide_within: 0 } }),
        "success_criteria[0].stop_early.decide_within: found the number 0, expected at least 1",
      ],
      [one("command_executed", { stop_early: true }), "success_criteria[0].stop_early: found the boolean true, expected a mapping"],
    ],
  },
  {
    rule: "stop_when is one of four words",
    accepted: ["pass", "fail", "decided", "auto"].map((stop_when) => one("command_executed", { stop_when })),
    refused: [
      [
        one("command_executed", { stop_when: "never" }),
        "success_criteria[0].stop_when: found text 'never', expected one of pass, fail, decided, auto",
      ],
    ],
  },
  {
    rule: "stop_early and stop_when exclude each other",
    refused: [
      [
        one("command_executed", { stop_early: {}, stop_when: "pass" }),
        "success_criteria[0].stop_when: stop_early and stop_when exclude each other: stop_when is what stop_early was called before 0.9.5",
      ],
    ],
  },
  {
    rule: "run_limits.stop_early: true does not go with a block, false switches it off",
    accepted: [
      armed,
      { ...armed, run_limits: { stop_early: false } },
      { ...one("command_executed", { stop_when: "pass" }), run_limits: { stop_early: true } },
    ],
    refused: [
      [
        { ...armed, run_limits: { stop_early: true } },
        "run_limits.stop_early: true goes with stop_when (before 0.9.5), not with stop_early blocks of criteria",
      ],
    ],
  },
  {
    rule: "a dialog does not stop early",
    accepted: [{ ...armed, ...dialog, run_limits: { stop_early: "no" } }],
    refused: [[{ ...armed, ...dialog }, "success_criteria[0].stop_early: a dialog cannot be stopped early"]],
  },
  {
    rule: "an agent without tool calls does not stop early",
    accepted: ["claude-code", "codex", "antigravity", "opencode", "pi"].map((type) => ({ ...armed, agent: { type } })),
    refused: [
      [
        { ...armed, agent: { type: "command", command: "x" } },
        "success_criteria[0].stop_early: an agent of type 'command' cannot be stopped at a tool call",
      ],
    ],
  },
  {
    rule: "the gate of an armed task is above 0",
    accepted: [{ ...armed, run_limits: { stop_early_gate_threshold: 0.1 } }],
    refused: [
      [
        { ...armed, run_limits: { stop_early_gate_threshold: 0 } },
        "run_limits.stop_early_gate_threshold: a gate threshold of 0 would stop every run at once as passed",
      ],
    ],
  },
]);
