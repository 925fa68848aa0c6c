import assert from "node:assert/strict";
import test from "node:test";
import { Command } from "commander";
import { type SelectionFlags, withSelection } from "../../../src/commands/cli-options.ts";
import { selectionOf } from "../../../src/commands/cli-selection.ts";

const host = { cwd: "/project", env: { HOME: "/home" }, drawSeed: () => "drawn" };

function select(...args: string[]) {
  const command = withSelection(new Command());
  command.parse(["tasks", ...args], { from: "user" });
  return selectionOf({ ...command.opts<SelectionFlags>(), patterns: command.args }, host);
}

test("without flags everything that the files say holds, and the door's seed draws", () => {
  const { flagNames, overrides, ...selection } = select();
  assert.equal(flagNames?.set, "-D");
  assert.deepEqual(overrides, { set: [], type: undefined, model: undefined, driver: undefined, repeats: undefined, image: undefined });
  assert.deepEqual(selection, {
    patterns: ["tasks"],
    cwd: "/project",
    env: { HOME: "/home" },
    tags: [],
    excludeTags: [],
    includeSkipped: false,
    experiment: undefined,
    variants: [],
    sampling: { sample: undefined, samplePerStratum: undefined, sampleSeed: undefined, runSeed: "drawn" },
    cap: undefined,
  });
});

test("every flag has its place", () => {
  const selection = select(
    ...["-e", "nightly", "--variant", "a, b", "--variant", "c", "-m", "m", "-T", "none", "--driver", "docker", "--image", "i"],
    ...["--repeats", "3", "--sample", "5", "--sample-per-stratum", "2", "--sample-seed", "spring", "--tags", "x,y", "--exclude-tags", "z"],
  );
  assert.equal(selection.experiment, "nightly");
  assert.deepEqual(selection.variants, ["a", "b", "c"]);
  assert.deepEqual(selection.overrides, { set: [], type: "none", model: "m", driver: "docker", repeats: 3, image: "i" });
  assert.deepEqual(selection.sampling, { sample: 5, samplePerStratum: 2, sampleSeed: "spring", runSeed: "drawn" });
  assert.deepEqual([selection.tags, selection.excludeTags], [["x", "y"], ["z"]]);
});

test("settings come one by one, in all spellings of the flag, and their commas belong to them", () => {
  const { overrides } = select(
    "-D",
    "agent.allowed_tools=[Bash, Read]",
    "-Drun_limits.max_turns=3",
    "--set=agent.model=a=b",
    "--set",
    "x=-1",
  );
  assert.deepEqual(overrides.set, ["agent.allowed_tools=[Bash, Read]", "run_limits.max_turns=3", "agent.model=a=b", "x=-1"]);
});

test("a bound on the tasks fails unless a sample is asked for, which is drawn by the seed of samples or a fixed one", () => {
  assert.deepEqual(select("--max-tasks", "9").cap, { maxTasks: 9, onMore: "fail", seed: "0" });
  assert.deepEqual(select("--max-tasks", "9", "--on-max-tasks", "sample", "--sample-seed", "s").cap, {
    maxTasks: 9,
    onMore: "sample",
    seed: "s",
  });
});
