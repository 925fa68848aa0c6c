import { criterion, testRules } from "./rule-table.ts";

const none = { agent: { type: "none" }, initial_prompt: undefined };
const dialog = { enabled: true, persona: "p", goal: "g" };
const comparison = { type: "reference_comparison", description: "c", agent_file: "a.py" };

testRules("1.1", [
  {
    rule: "task_id is required text",
    refused: [
      [{ task_id: undefined }, "task_id: required field 'task_id' is missing"],
      [{ task_id: 7 }, "task_id: found the number 7, expected text"],
      [{ task_id: " " }, "task_id: found text ' '; must not be blank"],
    ],
  },
  {
    rule: "task_id is any text: no pattern is asked of it",
    accepted: ["A b/ü:*", "../up", "a".repeat(500), "__proto__"].map((task_id) => ({ task_id })),
    refused: [],
  },
  {
    rule: "description is required text, which may be empty",
    accepted: [{ description: "" }],
    refused: [
      [{ description: undefined }, "description: required field 'description' is missing"],
      [{ description: null }, "description: found null, expected text"],
    ],
  },
  {
    rule: "initial_prompt and initial_prompt_file exclude each other",
    accepted: [{ initial_prompt: undefined, initial_prompt_file: "p.md" }, { initial_prompt_file: null }],
    refused: [
      [{ initial_prompt_file: "p.md" }, "initial_prompt_file: initial_prompt and initial_prompt_file exclude each other"],
      [
        { initial_prompt: "", initial_prompt_file: "p.md" },
        "initial_prompt_file: initial_prompt and initial_prompt_file exclude each other",
      ],
    ],
  },
  {
    rule: "a prompt is required, and an empty one counts",
    accepted: [{ initial_prompt: "" }],
    refused: [
      [{ initial_prompt: undefined }, "initial_prompt: a prompt is missing: initial_prompt or initial_prompt_file"],
      [{ initial_prompt: null }, "initial_prompt: a prompt is missing: initial_prompt or initial_prompt_file"],
    ],
  },
  {
    rule: "a dialog needs no prompt, a dialog that is switched off does",
    accepted: [{ initial_prompt: undefined, simulation: dialog }],
    refused: [
      [
        { initial_prompt: undefined, simulation: { ...dialog, enabled: "no" } },
        "initial_prompt: a prompt is missing: initial_prompt or initial_prompt_file",
      ],
    ],
  },
  {
    rule: "agent type none needs no prompt and takes none",
    accepted: [none],
    refused: [
      [{ agent: { type: "none" } }, "initial_prompt: with agent type 'none' nobody reads initial_prompt"],
      [{ ...none, initial_prompt_file: "p.md" }, "initial_prompt_file: with agent type 'none' nobody reads initial_prompt_file"],
    ],
  },
  {
    rule: "agent type none takes no dialog that is switched on",
    accepted: [{ ...none, simulation: { ...dialog, enabled: false } }],
    refused: [[{ ...none, simulation: dialog }, "simulation.enabled: a dialog needs an agent, and the agent type is 'none'"]],
  },
  {
    rule: "agent type none takes no criterion that judges an agent",
    accepted: [
      {
        ...none,
        success_criteria: [
          criterion,
          { type: "llm_judge", description: "j", prompt: "p" },
          { type: "cli_called", description: "c", tool: "uip" },
        ],
      },
    ],
    refused: [
      [
        { ...none, success_criteria: [{ type: "command_executed", description: "c" }] },
        "success_criteria[0].type: command_executed judges what an agent did, and the agent type is 'none'",
      ],
      [
        { ...none, success_criteria: [{ type: "command_not_executed", description: "c" }] },
        "success_criteria[0].type: command_not_executed judges what an agent did, and the agent type is 'none'",
      ],
      [
        { ...none, success_criteria: [{ type: "skill_triggered", description: "s", expected_skill: "a", skill_name: "a" }] },
        "success_criteria[0].type: skill_triggered judges what an agent did, and the agent type is 'none'",
      ],
      [
        { ...none, reference: { code: "x" }, success_criteria: [comparison] },
        "success_criteria[0].type: reference_comparison judges what an agent did, and the agent type is 'none'",
      ],
      [
        { ...none, success_criteria: [{ type: "commands_efficiency", description: "e", expected_commands: 1 }] },
        "success_criteria[0].type: commands_efficiency judges what an agent did, and the agent type is 'none'",
      ],
    ],
  },
  {
    rule: "tags are lower-case words with at most one key",
    accepted: [{ tags: [] }, { tags: ["smoke", "area:files", "a-1:b-2"] }],
    refused: [
      [
        { tags: ["Smoke"] },
        "tags[0]: found text 'Smoke'; a tag is lower-case words joined by '-', at most one 'key:' before them (e.g. 'smoke', 'area:files')",
      ],
      [{ tags: "smoke" }, "tags: found text 'smoke', expected a list"],
      [{ tags: [1] }, "tags[0]: found the number 1, expected text"],
    ],
  },
  {
    rule: "skip is a boolean in any of its spellings",
    accepted: [{ skip: "yes" }, { skip: 0 }],
    refused: [[{ skip: "maybe" }, "skip: found text 'maybe', expected true or false"]],
  },
  {
    rule: "success_criteria is a list of at least one",
    refused: [
      [{ success_criteria: undefined }, "success_criteria: required field 'success_criteria' is missing"],
      [{ success_criteria: [] }, "success_criteria: a task needs at least one criterion"],
      [{ success_criteria: criterion }, "success_criteria: found a mapping, expected a list"],
    ],
  },
  {
    rule: "expected_commands is at least 1",
    accepted: [{ expected_commands: 1 }, { expected_commands: null }],
    refused: [[{ expected_commands: 0 }, "expected_commands: found the number 0, expected at least 1"]],
  },
  {
    rule: "suite_thresholds need a dataset, or the suite that a row came from",
    accepted: [
      { dataset: { rows: [{ id: "a" }] }, success_criteria: [{ ...criterion, suite_thresholds: { mean: 0.5 } }] },
      { suite_id: "s", success_criteria: [{ ...criterion, suite_thresholds: { mean: 0.5 } }] },
      { success_criteria: [{ ...criterion, suite_thresholds: null }] },
    ],
    refused: [
      [
        { success_criteria: [{ ...criterion, suite_thresholds: { mean: 0.5 } }] },
        "success_criteria[0].suite_thresholds: suite_thresholds need a dataset in the task",
      ],
    ],
  },
  {
    rule: "reference_comparison with a reference directory needs reference_file, with a text it takes none",
    accepted: [
      { reference: { file: "a.py" }, success_criteria: [comparison] },
      { reference: { code: "x = 1" }, success_criteria: [comparison] },
      { reference: { directory: "solution" }, success_criteria: [{ ...comparison, reference_file: "a.py" }] },
    ],
    refused: [
      [
        { reference: { directory: "solution" }, success_criteria: [comparison] },
        "success_criteria[0]: reference_comparison with reference.directory needs reference_file",
      ],
      [
        { reference: { file: "a.py" }, success_criteria: [{ ...comparison, reference_file: "a.py" }] },
        "success_criteria[0].reference_file: reference_file names a file of reference.directory, and the reference is one text",
      ],
    ],
  },
  {
    rule: "an llm_judge may look at a reference of any form, since 0.8.2 and 0.11 differ",
    accepted: [
      { reference: { directory: "solution" }, success_criteria: [{ type: "llm_judge", description: "j", prompt: "p" }] },
      { reference: { file: "a" }, success_criteria: [{ type: "llm_judge", description: "j", prompt: "p" }] },
    ],
    refused: [],
  },
  {
    rule: "checker_context is null or has a route to an API for judges",
    accepted: [
      { checker_context: null },
      { checker_context: {} },
      { checker_context: { api_route: { route: "litellm", model: "m", params: { any: [1] }, env_params: { key: "KEY" } } } },
    ],
    refused: [
      [
        { checker_context: { api_route: { route: "openai" } } },
        "checker_context.api_route.route: found text 'openai', expected one of direct, bedrock, litellm",
      ],
      [
        { checker_context: { api_route: { env_params: { key: 1 } } } },
        "checker_context.api_route.env_params.key: found the number 1, expected text",
      ],
    ],
  },
  {
    rule: "removed criterion types say what takes their place",
    refused: [
      [
        { success_criteria: [{ type: "program_stdout_equals", description: "d", command: "x" }] },
        "success_criteria[0].type: criterion type 'program_stdout_equals' was removed; use run_command with expected_stdout",
      ],
      [
        { success_criteria: [{ type: "code_lints", description: "d" }] },
        "success_criteria[0].type: criterion type 'code_lints' was removed; use run_command with the linter's command line",
      ],
      [
        { success_criteria: [{ type: "scored_command", description: "d" }] },
        "success_criteria[0].type: criterion type 'scored_command' was removed; use run_command with score_from_stdout: true",
      ],
    ],
  },
]);

testRules("1.2", [
  {
    rule: "a pre_run command is text",
    accepted: [{ pre_run: [{ command: "true" }] }],
    refused: [
      [{ pre_run: [{}] }, "pre_run[0].command: required field 'command' is missing"],
      [{ pre_run: ["true"] }, "pre_run[0]: found text 'true', expected a mapping"],
    ],
  },
  {
    rule: "a pre_run timeout is 1 to 300 seconds",
    accepted: [
      {
        pre_run: [
          { command: "true", timeout: 1 },
          { command: "true", timeout: 300 },
        ],
      },
    ],
    refused: [
      [{ pre_run: [{ command: "true", timeout: 0 }] }, "pre_run[0].timeout: found the number 0, expected at least 1"],
      [{ pre_run: [{ command: "true", timeout: 301 }] }, "pre_run[0].timeout: found the number 301, expected at most 300"],
    ],
  },
  {
    rule: "fail_on_error is a boolean of pre_run alone",
    accepted: [{ pre_run: [{ command: "true", fail_on_error: false }] }],
    refused: [
      [{ pre_run: [{ command: "true", fail_on_error: 2 }] }, "pre_run[0].fail_on_error: found the number 2, expected true or false"],
      [{ post_run: [{ command: "true", fail_on_error: true }] }, "post_run[0].fail_on_error: unknown field 'fail_on_error'"],
    ],
  },
  {
    rule: "a post_run timeout is 1 to 300 seconds",
    accepted: [{ post_run: [{ command: "true", timeout: "300" }] }],
    refused: [
      [{ post_run: [{ command: "true", timeout: 300.5 }] }, "post_run[0].timeout: found the number 300.5, expected a whole number"],
      [
        { post_run: [{ timeout: 301 }] },
        "post_run[0].command: required field 'command' is missing\npost_run[0].timeout: found the number 301, expected at most 300",
      ],
    ],
  },
]);

testRules("1.6", [
  {
    rule: "a reference is exactly one of code, file, directory",
    accepted: [{ reference: { code: "" } }, { reference: { file: "a", directory: null } }, { reference: null }],
    refused: [
      [{ reference: {} }, "reference: give exactly one of code, file, directory"],
      [{ reference: { file: "a", directory: "b" } }, "reference: give exactly one of code, file, directory"],
      [{ reference: "a" }, "reference: found text 'a', expected a mapping"],
    ],
  },
  {
    rule: "a reference directory is not blank",
    refused: [[{ reference: { directory: " " } }, "reference.directory: found text ' '; must not be blank"]],
  },
]);

testRules("1.8", [
  {
    rule: "persona and goal are required and not blank, also where the dialog is off",
    refused: [
      [{ simulation: {} }, "simulation.persona: required field 'persona' is missing\nsimulation.goal: required field 'goal' is missing"],
      [{ simulation: { persona: " ", goal: "g" } }, "simulation.persona: found text ' '; must not be blank"],
      [{ simulation: { persona: "p", goal: "" } }, "simulation.goal: must not be blank"],
    ],
  },
  {
    rule: "a dialog has 1 to 100 turns",
    accepted: [{ simulation: { ...dialog, max_turns: 100 } }],
    refused: [
      [{ simulation: { ...dialog, max_turns: 0 } }, "simulation.max_turns: found the number 0, expected at least 1"],
      [{ simulation: { ...dialog, max_turns: 101 } }, "simulation.max_turns: found the number 101, expected at most 100"],
    ],
  },
  {
    rule: "the stop token is not empty",
    accepted: [{ simulation: { ...dialog, stop_token: "x" } }],
    refused: [[{ simulation: { ...dialog, stop_token: "" } }, "simulation.stop_token: found empty text, expected at least 1 characters"]],
  },
  {
    rule: "stop_on_criteria_pass needs criteria during the dialog",
    accepted: [
      { simulation: { ...dialog, stop_on_criteria_pass: true, check_criteria: "both" } },
      { simulation: { ...dialog, stop_on_criteria_pass: true, check_criteria: "every_turn" } },
    ],
    refused: [
      [
        { simulation: { ...dialog, stop_on_criteria_pass: true } },
        "simulation.stop_on_criteria_pass: stop_on_criteria_pass needs check_criteria 'every_turn' or 'both'",
      ],
    ],
  },
  {
    rule: "check_criteria is one of three words",
    refused: [
      [
        { simulation: { ...dialog, check_criteria: "each_turn" } },
        "simulation.check_criteria: found text 'each_turn', expected one of end_of_dialog, every_turn, both",
      ],
    ],
  },
  {
    rule: "max_total_tokens of a dialog is above 0",
    accepted: [{ simulation: { ...dialog, max_total_tokens: null } }],
    refused: [
      [{ simulation: { ...dialog, max_total_tokens: 0 } }, "simulation.max_total_tokens: found the number 0, expected more than 0"],
    ],
  },
  {
    rule: "n_trials is 1 to 100",
    accepted: [{ simulation: { ...dialog, n_trials: 100 } }],
    refused: [
      [{ simulation: { ...dialog, n_trials: 0 } }, "simulation.n_trials: found the number 0, expected at least 1"],
      [{ simulation: { ...dialog, n_trials: 101 } }, "simulation.n_trials: found the number 101, expected at most 100"],
    ],
  },
  {
    rule: "constraints are a list of texts, parallel_trials a boolean that nobody reads, model a text",
    accepted: [{ simulation: { ...dialog, constraints: ["c"], parallel_trials: false, model: "m" } }],
    refused: [
      [{ simulation: { ...dialog, constraints: "c" } }, "simulation.constraints: found text 'c', expected a list"],
      [{ simulation: { ...dialog, model: 1 } }, "simulation.model: found the number 1, expected text"],
    ],
  },
]);
