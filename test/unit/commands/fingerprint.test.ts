import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { fingerprintCommand } from "../../../src/commands/fingerprint.ts";
import { InputError } from "../../../src/errors.ts";
import { writeFingerprint } from "../../../src/results/fingerprint/fingerprint-file.ts";
import { keepStamps } from "../../../src/results/fingerprint/keep-stamps.ts";
import { attemptFactsSchema } from "../../../src/results/task-result.ts";
import { environment, fingerprintWith, foreignFile, keyOf, rowOf, runKeys, stampOf } from "../results/fingerprint/stamps.ts";
import { copyOfRun, fixtureRuns, put, sampleResult, temporaryDirectory } from "../results/fixtures.ts";

const columns = 110;

async function linesOf(runDir: string, other?: string): Promise<string[]> {
  const { text } = await fingerprintCommand({ runDir, other, json: false, columns });
  return text.split("\n");
}

async function inputError(runDir: string, other?: string): Promise<InputError> {
  try {
    await fingerprintCommand({ runDir, other, json: false, columns });
  } catch (error) {
    assert.ok(error instanceof InputError, String(error));
    return error;
  }
  return assert.fail("it worked");
}

const foreign = (name: string) => join(fixtureRuns, "fingerprints", name);

/** Two executions that differ in a setting of one of their two rows, in the engine, and in how many tasks ran at a time. */
async function twoRuns(root: string): Promise<readonly [string, string]> {
  const [before, now] = [join(root, "before"), join(root, "now")];
  for (const directory of [before, now]) mkdirSync(directory);
  const models = (model: string) => [rowOf("a"), rowOf("b", stampOf({ "agent.model": model, "run_limits.max_turns": 20 }))];
  await writeFingerprint(before, fingerprintWith({ rows: models("model-a") }));
  await writeFingerprint(
    now,
    fingerprintWith({
      run: { ...runKeys, max_parallel: 8 },
      rows: models("model-b"),
      environment: { ...environment, engine: "29.0.0" },
    }),
  );
  return [before, now];
}

test("a fingerprint tells how much it knows, what somebody set, and the environment", async () => {
  using directory = temporaryDirectory();
  const [before] = await twoRuns(directory.path);
  const lines = await linesOf(before);
  for (const line of [
    /^ {2}fingerprint version +1$/,
    /^ {2}rows +2 of 2 tasks$/,
    /^ {2}stamps +1 with 1 settings profile$/,
    /^ {2}backend +"direct"$/,
    /^ {2}agent\.model +"model-a" +task$/,
    /^ {2}image node:24 +sha256:1111$/,
  ]) {
    assert.ok(
      lines.some((found) => line.test(found)),
      `${line} in\n${lines.join("\n")}`,
    );
  }
});

test("rows that a resumed run kept from another environment are counted apart", async () => {
  using directory = temporaryDirectory();
  const [earlier, present] = [fingerprintWith(), fingerprintWith({ environment: { ...environment, engine: "29.0.0" } })];
  const resumed = keepStamps(present, earlier, (key) => key === keyOf("b"));
  await writeFingerprint(directory.path, resumed);
  const lines = await linesOf(directory.path);
  assert.ok(
    lines.some((line) => /^ {2}kept +1 row of earlier attempts$/.test(line)),
    lines.join("\n"),
  );
  const { text } = await fingerprintCommand({ runDir: directory.path, json: true, columns });
  assert.match(text, /"rows_of_earlier_attempts": 1\b/);
  await writeFingerprint(directory.path, fingerprintWith());
  assert.ok((await linesOf(directory.path)).every((line) => !line.includes("kept")));
});

test("two runs are compared in a table with who set what, and what changes no result below it", async () => {
  using directory = temporaryDirectory();
  const [before, now] = await twoRuns(directory.path);
  const outcome = await fingerprintCommand({ runDir: before, other: now, json: false, columns });
  assert.equal(outcome.exitCode, 1);
  assert.deepEqual(outcome.text.split("\n\n").slice(1), [
    'WHAT         BEFORE     NOW        SET BY  TASKS\nagent.model  "model-a"  "model-b"  task    1 task: b\nengine       28.0.1     29.0.0',
    "Without effect on results:\nWHAT          BEFORE  NOW\nmax_parallel  2       8",
    "3 differences; 2 rows compared, of which 1 ran with other settings or files.\n",
  ]);
});

test("the exit code is 0 where nothing differs, or nothing that changes a result", async () => {
  using directory = temporaryDirectory();
  const [before] = await twoRuns(directory.path);
  assert.equal((await fingerprintCommand({ runDir: before, other: before, json: false, columns })).exitCode, 0);
  const [first, quicker] = [join(directory.path, "first.json"), join(directory.path, "quicker.json")];
  writeFileSync(first, foreignFile("0.8.2-first.json"));
  writeFileSync(quicker, foreignFile("0.8.2-first.json").replace('"max_parallel": 2', '"max_parallel": 4'));
  const outcome = await fingerprintCommand({ runDir: first, other: quicker, json: false, columns });
  assert.equal(outcome.exitCode, 0);
  assert.match(outcome.text, /max_parallel +2 +4/);
});

test("the lines of a table fit the terminal, whatever stands in it", async () => {
  using directory = temporaryDirectory();
  const rows = (text: string) => [rowOf(`task-${"x".repeat(300)}`, stampOf({ "agent.system_prompt": text.repeat(100) }))];
  const [before, now] = [join(directory.path, "before"), join(directory.path, "now")];
  for (const place of [before, now]) mkdirSync(place);
  await writeFingerprint(before, fingerprintWith({ rows: rows("\u001b[31m\u202eold\n") }));
  await writeFingerprint(now, fingerprintWith({ rows: rows("new") }));
  const lines = await linesOf(before, now);
  const heading = lines.findIndex((line) => line.startsWith("WHAT"));
  for (const line of lines.slice(heading, heading + 2)) assert.ok(line.length <= columns, line);
  for (const hidden of ["\u001b", "\u202e"]) assert.equal(lines.join("\n").includes(hidden), false);
});

test("--json gives the same as data", async () => {
  using directory = temporaryDirectory();
  const [before, now] = await twoRuns(directory.path);
  const one = JSON.parse((await fingerprintCommand({ runDir: before, json: true, columns })).text);
  assert.deepEqual(
    [one.writer, one.version, one.rows, one.tasks, one.stamps, one.settings_profiles, one.run.backend, one.environment.engine],
    ["evalbatch", 1, 2, 2, 1, 1, "direct", "28.0.1"],
  );
  const both = JSON.parse((await fingerprintCommand({ runDir: before, other: now, json: true, columns })).text);
  assert.deepEqual([both.rows_compared, both.rows_changed], [2, 1]);
  assert.deepEqual(
    both.drift.map(({ field, benign }: { field: string; benign: boolean }) => [field, benign]),
    [
      ["agent.model", false],
      ["engine", false],
      ["max_parallel", true],
    ],
  );
});

test("a fingerprint of coder_eval is shown and compared, as a file or in its run directory", async () => {
  using run = copyOfRun("mixed");
  put(run.path, "resume_fingerprint.json", foreignFile("0.8.2-first.json"));
  const lines = await linesOf(run.path);
  assert.match(lines.join("\n"), /written by +coder_eval/);
  assert.doesNotMatch(lines.join("\n"), /results? made with/);
  assert.ok(
    (await linesOf(run.path, foreign("0.8.2-other-model.json"))).some((line) =>
      /^overrides\.agent\.model +"model-a" +"model-b"$/.test(line),
    ),
  );
});

test("results that were made with another stamp than the recorded one are named, and make the exit code 1", async () => {
  using directory = temporaryDirectory();
  const [before] = await twoRuns(directory.path);
  const result = (taskId: string, stamp: string | null) => {
    const facts = attemptFactsSchema.parse({ stamp, replicate_index: 0 });
    put(before, `default/${taskId}/00/task.json`, JSON.stringify(sampleResult({ task_id: taskId, evalbatch: facts })));
  };
  result("a", stampOf().digest);
  result("b", null);
  const honest = await fingerprintCommand({ runDir: before, json: false, columns });
  assert.equal(honest.exitCode, 0);
  assert.match(
    honest.text,
    /1 result made with the stamp recorded here\n {2}1 result without a stamp on one side: default\/b\/00\/task\.json\n/,
  );
  result("b", "of-another-run");
  put(before, "default/c/00/task.json", "{");
  const mixed = await fingerprintCommand({ runDir: before, json: false, columns });
  assert.equal(mixed.exitCode, 1);
  assert.match(mixed.text, /1 result made with another stamp than the one recorded here: default\/b\/00\/task\.json\n/);
  assert.match(mixed.text, /1 result that cannot be read: default\/c\/00\/task\.json\n/);
});

test("where there is no fingerprint, what is missing is said, and nothing is made", async () => {
  using run = copyOfRun("mixed");
  rmSync(join(run.path, "resume_fingerprint.json"), { force: true });
  const error = await inputError(run.path);
  assert.equal(error.code, "no-fingerprint");
  assert.match(error.message, /holds \d+ results but no resume_fingerprint\.json$/);
  assert.equal(existsSync(join(run.path, "resume_fingerprint.json")), false);
  using empty = temporaryDirectory();
  assert.equal((await inputError(empty.path)).code, "no-run");
  assert.match((await inputError(join(empty.path, "nowhere"))).message, /nowhere does not exist$/);
  assert.equal((await inputError(foreign("0.12.16.json"), run.path)).code, "no-fingerprint");
});

test("a fingerprint that cannot be read is said to be that, with the reason", async () => {
  using directory = temporaryDirectory();
  put(directory.path, "resume_fingerprint.json", "[1,2]");
  const error = await inputError(directory.path);
  assert.equal(error.code, "bad-fingerprint");
  assert.match(error.message, /resume_fingerprint\.json cannot be read: expected an object, found a list$/);
});
