import assert from "node:assert/strict";
import test from "node:test";
import { jobConfirmation, jobSelection, rerunFlagsOf } from "../../../src/commands/job-selection.ts";
import { readEnvironment } from "../../../src/github/environment.ts";
import type { GitHubEvent } from "../../../src/github/event.ts";
import { inputVariable, loadInputs } from "../../../src/github/inputs.ts";
import { inputNames } from "../../../src/plan/overrides/parse-overrides.ts";

const workspace = import.meta.dirname;

function jobOf(texts: Readonly<Record<string, string>>, variables: Readonly<Record<string, string>> = {}, event?: GitHubEvent) {
  const environment = readEnvironment({ GITHUB_WORKSPACE: workspace, GITHUB_RUN_ID: "987", GITHUB_SHA: "abc", ...variables }, workspace);
  const env = Object.fromEntries(Object.entries({ tasks: "evals", ...texts }).map(([name, text]) => [inputVariable(name), text]));
  const { inputs } = loadInputs(env, environment, () => {});
  return { environment, inputs, env, event: event ?? ({ kind: "other", name: environment.eventName } satisfies GitHubEvent) };
}

test("inputs and event become what a plan needs", () => {
  const job = jobOf({
    experiment: "nightly",
    variant: "loud",
    set: "run_limits.max_turns=3",
    model: "m",
    sample: "4",
    tags: "smoke",
    "max-tasks": "9",
  });
  assert.deepEqual(jobSelection(job), {
    patterns: ["evals"],
    cwd: workspace,
    env: job.env,
    tags: ["smoke"],
    excludeTags: [],
    includeSkipped: false,
    experiment: "nightly",
    variants: ["loud"],
    overrides: { set: ["run_limits.max_turns=3"], type: undefined, model: "m", repeats: undefined, driver: "docker", image: undefined },
    flagNames: inputNames,
    sampling: { sample: 4, samplePerStratum: undefined, sampleSeed: undefined, runSeed: "987" },
    cap: { maxTasks: 9, onMore: "fail", seed: "abc" },
  });
});

test("a seed that is given beats the event's, and without max-tasks there is no cap", () => {
  const capped = jobSelection(jobOf({ "sample-seed": "spring", "max-tasks": "9", "on-max-tasks": "sample" }));
  assert.deepEqual(capped.cap, { maxTasks: 9, onMore: "sample", seed: "spring" });
  assert.equal(capped.sampling.sampleSeed, "spring");
  assert.equal(jobSelection(jobOf({})).cap, undefined);
});

test("only a manual run is asked to confirm", () => {
  const manual = { GITHUB_EVENT_NAME: "workflow_dispatch" };
  const asked = { "confirm-above": "100" };
  assert.equal(jobConfirmation(jobOf(asked, { GITHUB_EVENT_NAME: "schedule" })), undefined);
  assert.equal(jobConfirmation(jobOf({}, manual)), undefined);
  const confirmation = jobConfirmation(jobOf(asked, manual));
  assert.deepEqual([confirmation?.above, confirmation?.given], [100, false]);
  assert.match(confirmation?.remedy ?? "", /"confirmed" set to true/);
  assert.equal(jobConfirmation(jobOf({ ...asked, confirmed: "true" }, manual))?.given, true);
});

test("a run can be repeated with the flags that mean what the inputs did, each one word to a shell", () => {
  assert.deepEqual(rerunFlagsOf(jobOf({}).inputs.selection), ["--driver docker"]);
  const { inputs } = jobOf({
    experiment: "e/a b.yaml",
    variant: "x, y",
    set: "run_limits.max_turns=3\nagent.allowed_tools=[Bash]\nagent.system_prompt=it's\nsandbox.driver=tempdir",
    agent: "none",
    model: "m",
    repeats: "2",
    image: "node:24",
  });
  assert.deepEqual(rerunFlagsOf(inputs.selection), [
    "-e 'e/a b.yaml'",
    "--variant x,y",
    "-D run_limits.max_turns=3",
    "-D 'agent.allowed_tools=[Bash]'",
    "-D 'agent.system_prompt=it'\\''s'",
    "-D sandbox.driver=tempdir",
    "--type none",
    "--model m",
    "--image node:24",
    "--repeats 2",
  ]);
});
