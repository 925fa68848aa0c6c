import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import test from "node:test";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import { commandEnvironment } from "../../../../src/sandbox/environments/command-environment.ts";
import { packageName, setUpNode } from "../../../../src/sandbox/environments/node.ts";
import { setUpPython } from "../../../../src/sandbox/environments/python.ts";
import type { Sandbox } from "../../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../../src/sandbox/tempdir/driver.ts";

const { signal } = new AbortController();
const log = (): void => {};

async function withSandbox(path: string | undefined, work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const driver = createTempdirDriver({ runId: "r", env: process.env, tmpDir: tmpdir(), log });
  const env = path === undefined ? {} : { PATH: path };
  await using sandbox = await driver.start(
    { key: "k", taskId: "t", config: sandboxSchema.parse({}), taskDir: "/", env, lifeSeconds: 600, log },
    signal,
  );
  await work(sandbox);
}

async function line(sandbox: Sandbox, shell: string, env?: Readonly<Record<string, string>>): Promise<string> {
  const { output } = await sandbox.exec({ command: { shell }, env, timeoutMs: 60_000, maxOutputBytes: 100_000, signal });
  return output.stdout + output.stderr;
}

/** Puts programs in front of the host's: what is on the machine must not decide what is tested. */
async function fakes(sandbox: Sandbox, programs: Readonly<Record<string, string>>): Promise<void> {
  const entries = Object.entries(programs).map(([path, body]) => ({
    kind: "file" as const,
    path,
    mode: 0o755,
    content: Buffer.from(`#!/bin/sh\n${body}\n`),
  }));
  await sandbox.putFiles(entries, "fakes");
}

const hasPython = (() => {
  try {
    execFileSync("python3", ["-c", "import venv, ensurepip"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();
const needsPython = hasPython ? {} : { skip: "no python3 with venv and ensurepip on this machine" };

test("makes a virtual environment that comes first for criterion commands", needsPython, async () => {
  await withSandbox(undefined, async (sandbox) => {
    const python = await setUpPython(sandbox, { envPackages: [], signal, log });
    assert.ok(python !== undefined);
    assert.equal(python.venvDir, `${sandbox.workDir}/.venv`);
    const env = await commandEnvironment(sandbox, { python, taskDir: "/tasks/one", signal });
    assert.deepEqual(
      { ...env, PATH: env.PATH?.split(":")[0] },
      {
        NODE_PATH: "",
        NPM_CONFIG_PREFIX: `${sandbox.workDir}/.npm-prefix`,
        PATH: python.binDir,
        VIRTUAL_ENV: python.venvDir,
        TASK_DIR: "/tasks/one",
      },
    );
    const seen = await line(sandbox, "command -v python; python -c 'import sys; print(sys.prefix)'", env);
    assert.equal(seen, `${python.binDir}/python\n${python.venvDir}\n`);
    assert.ok(!(await line(sandbox, "echo $PATH; echo $VIRTUAL_ENV")).includes(".venv"), "pre_run and post_run see the plain environment");
  });
});

test("brings a pip along that unpacks itself when it is first used, by whatever name", needsPython, async () => {
  await withSandbox("/usr/bin:/bin", async (sandbox) => {
    await fakes(sandbox, { python3: `exec "$REAL" "$@"` });
    const real = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
    const only = { ...sandbox, exec: sandbox.exec };
    const made = await setUpPython(
      {
        ...only,
        exec: (request) =>
          sandbox.exec({ ...request, env: { ...request.env, REAL: real, PATH: `${sandbox.workDir}/fakes:/usr/bin:/bin` } }),
      },
      { envPackages: [], signal, log },
    );
    assert.equal(made?.madeBy, "venv");
    assert.deepEqual(
      await sandbox.glob(".venv/lib/*/site-packages/pip/*"),
      await sandbox.glob(".venv/lib/*/site-packages/pip/__init__.py"),
    );
    assert.match(await line(sandbox, ".venv/bin/pip3 --version"), /^pip \d+\S* from .*\.venv/);
    assert.match(await line(sandbox, ".venv/bin/python -m pip --version"), /^pip \d+/);
    assert.match(await line(sandbox, ".venv/bin/python -c 'import pip; print(pip.__version__)'"), /^\d+\./);
    assert.match(await line(sandbox, ".venv/bin/pip list --disable-pip-version-check"), /pip +\d/);
  });
});

test("without Python there is no environment and no error, unless packages are asked for", async () => {
  await withSandbox("/nowhere", async (sandbox) => {
    const lines: string[] = [];
    assert.equal(await setUpPython(sandbox, { envPackages: [], signal, log: (text) => lines.push(text) }), undefined);
    assert.deepEqual(lines, ["no Python in the sandbox: no virtual environment is made"]);
    const asked = setUpPython(sandbox, { envPackages: ["six"], signal, log });
    await assert.rejects(asked, { name: "SandboxSetupError", code: "venv_creation_error", message: /to have packages: six$/ });
  });
});

test("uses uv where there is uv, and falls back to venv when it fails", async () => {
  await withSandbox("fakes:/usr/bin:/bin", async (sandbox) => {
    await fakes(sandbox, { uv: `echo "$@" >>uv.log; mkdir -p .venv/bin`, python3: "exit 9" });
    const python = await setUpPython(sandbox, { envPackages: ["six==1.17", "-e", "."], signal, log });
    assert.equal(python?.madeBy, "uv");
    const [venv, install] = (await line(sandbox, "cat uv.log")).split("\n");
    assert.match(venv ?? "", /^venv --quiet --no-project --allow-existing --python fakes\/python3 \.venv$/);
    assert.equal(install, `pip install --quiet --python ${sandbox.workDir}/.venv/bin/python six==1.17 -e .`);

    await fakes(sandbox, { uv: "exit 3", python3: `[ "$1" = -c ] || { echo cannot >&2; exit 4; }` });
    const failing = setUpPython(sandbox, { envPackages: [], signal, log });
    await assert.rejects(failing, { code: "venv_creation_error", message: /exit 1\ncannot$/ });
  });
});

test("a failed installation tells the end of the installer's output", async () => {
  await withSandbox("fakes:/usr/bin:/bin", async (sandbox) => {
    await fakes(sandbox, { uv: `[ "$1" = venv ] || { echo "no such package"; exit 2; }` });
    const failing = setUpPython(sandbox, { envPackages: ["nope"], signal, log });
    await assert.rejects(failing, {
      name: "SandboxSetupError",
      code: "package_install_error",
      message: "could not install Python packages nope: exit 2\nno such package",
    });
  });
});

test("installs Node packages by bun, else npm, and tells the versions that came", async () => {
  await withSandbox("fakes:/bin:/usr/bin", async (sandbox) => {
    const install = (name: string) =>
      `echo ${name} "$@" >>log; mkdir -p node_modules/left-pad node_modules/@a/b; echo '{"version":"1.3.0"}' >node_modules/left-pad/package.json; echo broken >node_modules/@a/b/package.json`;
    await fakes(sandbox, { npm: install("npm"), bun: install("bun") });
    const options = { envPackages: ["left-pad@^1", "@a/b", "git+https://example.com/x.git"], signal, log };
    assert.deepEqual(await setUpNode(sandbox, options), { "left-pad": "1.3.0" });
    await line(sandbox, "rm fakes/bun");
    if ((await line(sandbox, "command -v bun")) === "") await setUpNode(sandbox, options);
    assert.match(
      await line(sandbox, "cat log"),
      /^bun add left-pad@\^1 @a\/b git\+https:\/\/example\.com\/x\.git\n(npm install --no-fund --no-audit left-pad@\^1 |$)/,
    );
  });
});

test("knows a package's name from what was asked for", () => {
  const names = [
    "react",
    "react@18",
    "@scope/name",
    "@scope/name@^1.2",
    "lodash@latest",
    "./local",
    "https://x/y.tgz",
    "-g",
    "user/repo",
    "a@npm:b@1",
    "file:x",
  ].map(packageName);
  assert.deepEqual(names, [
    "react",
    "react",
    "@scope/name",
    "@scope/name",
    "lodash",
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
