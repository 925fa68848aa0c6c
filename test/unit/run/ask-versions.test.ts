import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { askVersions } from "../../../src/run/ask-versions.ts";
import type { ExecRequest, ExecResult } from "../../../src/sandbox/sandbox.ts";
import { exited, memorySandbox } from "../../fakes/memory-sandbox.ts";

/** A folder of programs, each a shell script. */
function programs(t: TestContext, scripts: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "evalbatch-programs-"));
  t.after(() => rmSync(dir, { recursive: true }));
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(dir, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(dir, name), 0o755);
  }
  return dir;
}

/** Runs lines in the machine's own shell, with nothing but these programs on the PATH. */
function shellWith(path: string) {
  return ({ command }: ExecRequest): Promise<ExecResult> => {
    const line = "shell" in command ? command.shell : "";
    return new Promise((done) => {
      const child = execFile("/bin/sh", ["-c", line], { env: { PATH: path } }, (error, stdout, stderr) => {
        done(exited(typeof error?.code === "number" ? error.code : 0, stdout, stderr));
      });
      child.stdin?.end();
    });
  };
}

async function ask(
  exec: (request: ExecRequest) => Promise<ExecResult> | ExecResult,
  versionCommand?: string,
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {};
  await askVersions({
    sandbox: memorySandbox({ exec }),
    agentEnv: {},
    python: undefined,
    agent: { name: "some-agent", versionCommand },
    own: [],
    redact: (text) => text,
    onAnswer: (name, version) => {
      found[name] = version;
    },
    signal: new AbortController().signal,
  });
  return found;
}

test("the first line of each program that succeeds is taken, with the shell alone", async (t) => {
  const path = programs(t, {
    python3: "echo Python 3.12.1; echo git git version 6.6.6",
    node: "echo noise >&2; echo v24.1.0; exit 0",
    git: "echo git version 2.39.5; exit 1",
    agent: `read line; echo "it's 1.2.3 ($line)"; echo more`,
  });
  assert.deepEqual(await ask(shellWith(path), `agent --version 'a b'`), {
    python: "Python 3.12.1",
    node: "v24.1.0",
    git: "Not Found",
    "some-agent": "it's 1.2.3 ()",
  });
});

test("python is asked where there is no python3", async (t) => {
  const path = programs(t, { python: "echo Python 3.8.0" });
  assert.deepEqual(await ask(shellWith(path)), { python: "Python 3.8.0", node: "Not Found", git: "Not Found" });
});

test("where one program hangs the answers before it count, and of the others nothing is said", async () => {
  const timedOut: ExecResult = {
    kind: "timed out",
    afterMs: 10_000,
    durationMs: 10_000,
    output: { stdout: "python Python 3.12.1\n", stderr: "", droppedBytes: 0 },
  };
  assert.deepEqual(await ask(() => timedOut), { python: "Python 3.12.1" });
});
