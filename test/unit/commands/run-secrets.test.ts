import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { systemClock } from "../../../src/clock.ts";
import { runCommand } from "../../../src/commands/run.ts";
import { createPlainProgress } from "../../../src/progress/plain-progress.ts";
import { strictGate } from "../../../src/results/gate.ts";

const hostSecret = "h0st-value-0123456789";
const passedOn = "p4ssed-on-0123456789";
const given = "g1ven-value-0123456789";
const password = "url-passw0rd";

// Each secret reaches the task in its own way: through its file, through the allow-list, through the user's variables.
const task = `task_id: leaky
description: prints what it must not
agent: {type: none}
sandbox: {python: null, docker: {env_passthrough: [MODEL_API_KEY]}}
pre_run:
  - command: 'echo ${hostSecret}; echo "$MODEL_API_KEY" | base64; echo "{\\"a\\": \\"$GIVEN\\"}"'
success_criteria:
  - type: run_command
    command: 'echo "$MODEL_API_KEY $GIVEN"; exit 1'
    description: 'fails with ${hostSecret}'
`;
const unloadable = `task_id: odd\nsuccess_criteria: https://user:${password}@git.example/o/r\n`;

test("no secret of a run stands in its files or its log, whatever way it took; what was hidden is counted", async (t) => {
  const cwd = await mkdtemp(join(tmpdir(), "evalbatch-secrets-"));
  t.after(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, "a.yaml"), task);
  await writeFile(join(cwd, "b.yaml"), unloadable);
  const log: string[] = [];
  const told: string[] = [];
  const screen = { columns: 120, colour: false, write: (text: string) => void log.push(text) };
  const outcome = await runCommand(
    {
      patterns: ["*.yaml"],
      cwd,
      runDir: "run",
      variants: [],
      overrides: { set: [], driver: "tempdir" },
      sampling: { runSeed: "run" },
      tags: [],
      excludeTags: [],
      includeSkipped: false,
      gate: strictGate,
      verbose: true,
      env: { PATH: process.env.PATH, DEPLOY_TOKEN: hostSecret, MODEL_API_KEY: passedOn, KEY_MODE: "production" },
      taskEnv: { GIVEN: given },
    },
    {
      clock: systemClock,
      progress: createPlainProgress(screen, () => 0),
      machine: { cpus: 2, memoryBytes: 2 ** 32 },
      signal: new AbortController().signal,
      onSecrets: (secrets) => {
        assert.deepEqual(log, [], "masks come before anything is printed");
        told.push(...secrets);
      },
    },
  );
  assert.deepEqual(told.toSorted(), [given, hostSecret, passedOn]);
  const [row] = outcome.summary.task_results;
  assert.equal(row?.status, "FAILURE");
  assert.match(row?.failure?.reason ?? "", /^fails with \*\*\*/);
  assert.ok(outcome.summary.redactions >= 8, `${outcome.summary.redactions}`);
  const texts = [["the log", log.join("")]];
  for (const entry of await readdir(join(cwd, "run"), { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) texts.push([entry.name, await readFile(join(entry.parentPath, entry.name), "utf8")]);
  }
  assert.ok(texts.length > 5);
  for (const [name, text = ""] of texts) {
    for (const secret of [hostSecret, passedOn, given, password, Buffer.from(passedOn).toString("base64").slice(0, 20)]) {
      assert.equal(text.includes(secret), false, `${secret} in ${name}: ${text}`);
    }
  }
  const result = texts.find(([name]) => name === "task.json")?.[1] ?? "";
  assert.match(result, /"stdout": "\*\*\*\\n\*\*\*\w{0,3}={0,2}\\n\{\\"a\\": \\"\*\*\*\\"\}/);
});
