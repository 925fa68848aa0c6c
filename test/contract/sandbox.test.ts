import assert from "node:assert/strict";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";
import { removeTree } from "../../src/sandbox/tempdir/leftovers.ts";
import { dockerEngine, dockerTest } from "../docker/engine.ts";
import { type ContractCase, out, type Subject } from "./sandbox/contract.ts";
import { exceptions } from "./sandbox/exceptions.ts";
import { execCases } from "./sandbox/exec-cases.ts";
import { processCases } from "./sandbox/process-cases.ts";
import { readCases } from "./sandbox/read-cases.ts";
import { type OpenSubject, openDocker, openTempdir } from "./sandbox/subjects.ts";
import { templateCases } from "./sandbox/template-cases.ts";
import { writeCases } from "./sandbox/write-cases.ts";

const cases: readonly ContractCase[] = [...execCases, ...processCases, ...readCases, ...writeCases, ...templateCases];

/** `EVALBATCH_CONTRACT=<text>` runs only the cases with this text in their name. */
const wanted = cases.filter((one) => one.name.includes(process.env.EVALBATCH_CONTRACT ?? ""));

holdAgainst("tempdir", openTempdir);
dockerTest("an engine for the contract answers", async () => {});
if (dockerEngine !== undefined) {
  holdAgainst("docker", openDocker(dockerEngine));
  holdAgainst("docker, USER 65532", openDocker(dockerEngine, "65532"));
}

function holdAgainst(kind: string, open: OpenSubject): void {
  test(`a ${kind} sandbox`, async (t) => {
    await using subject = await open();
    await using shared = await subject.start();
    for (const [index, one] of wanted.entries()) {
      const excepted = exceptions.find((exception) => exception.kinds.includes(kind) && exception.name === one.name);
      await t.test(excepted === undefined ? one.name : `${one.name} (not kept: ${excepted.reason})`, async () => {
        const run = runCase(one, subject, shared, `case${index}`);
        if (excepted === undefined) await run;
        else await assert.rejects(run, `the exception is out of date, take it off the list: ${one.name}`);
      });
    }
  });
}

async function runCase(one: ContractCase, subject: Subject, sandbox: Sandbox, dir: string): Promise<void> {
  await using cleanup = new AsyncDisposableStack();
  await out(sandbox, `mkdir ${dir}`);
  await one.run({
    sandbox,
    dir,
    fresh: async (env) => cleanup.use(await subject.start(env)),
    hostDir: async () => {
      const path = await mkdtemp(join(tmpdir(), "evalbatch-contract-"));
      cleanup.defer(async () => await removeTree(path));
      return path;
    },
  });
}

test("the list of exceptions names only cases that exist", () => {
  const names = new Set(cases.map((one) => one.name));
  assert.deepEqual(
    exceptions.filter((exception) => !names.has(exception.name)),
    [],
  );
});
