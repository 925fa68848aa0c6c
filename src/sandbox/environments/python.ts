import { posix } from "node:path";
import { SandboxSetupError } from "../../errors.ts";
import type { Sandbox } from "../sandbox.ts";
import { lazyPipSource, pipScript } from "./lazy-pip.ts";
import { howItEnded, runInstaller } from "./package-list.ts";

export interface PythonOptions {
  readonly envPackages: readonly string[];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** A virtual environment in the sandbox. */
export interface PythonEnvironment {
  /** Absolute path inside the sandbox. */
  readonly venvDir: string;
  readonly binDir: string;
  readonly madeBy: "uv" | "venv";
}

const venvLimitMs = 60_000;

/**
 * Makes `.venv` by uv where there is uv, else by Python's own `venv` without pip (0.05 s instead of 4 s) plus a pip that unpacks itself
 * when it is first used. One exec in all; the last line of output says what was made.
 */
const script = `
python=$(command -v python3 || command -v python) || python=
if command -v uv >/dev/null 2>&1; then
  if uv venv --quiet --no-project --allow-existing \${python:+--python "$python"} .venv >&2; then echo 'made by uv'; exit 0; fi
fi
if [ -z "$python" ]; then echo 'no python'; exit 0; fi
if ! "$python" -m venv --without-pip .venv >&2; then
  "$python" -c 'import venv' && exit 1
  echo 'no python'; exit 0
fi
for site in .venv/lib/python*/site-packages; do
  if [ -d "$site" ] && [ ! -e "$site/pip" ]; then
    mkdir "$site/pip" && printf '%s' "$EVALBATCH_LAZY_PIP" > "$site/pip/__init__.py" || exit 1
    for name in pip pip3; do
      printf '%s' "$EVALBATCH_PIP_SCRIPT" > ".venv/bin/$name" && chmod 755 ".venv/bin/$name" || exit 1
    done
  fi
done
echo 'made by venv'
`;

/**
 * The default Python environment of a task: `.venv` in `workDir`, with the task's packages (formats.md 1.4). Gives `undefined` where there
 * is no Python and nobody asked for packages.
 * @throws SandboxSetupError `venv_creation_error` or `package_install_error`, SandboxLostError, or the signal's reason
 */
export async function setUpPython(sandbox: Sandbox, options: PythonOptions): Promise<PythonEnvironment | undefined> {
  const made = await sandbox.exec({
    command: { shell: script },
    env: { EVALBATCH_LAZY_PIP: lazyPipSource, EVALBATCH_PIP_SCRIPT: pipScript },
    timeoutMs: venvLimitMs,
    maxOutputBytes: 100_000,
    signal: options.signal,
  });
  const verdict = made.output.stdout.trimEnd().split("\n").at(-1);
  if (made.kind !== "exited" || made.exitCode !== 0) {
    throw new SandboxSetupError("venv_creation_error", `could not make the Python environment: ${howItEnded(made)}`, {
      hint: "set 'sandbox.python: null' in the task when it needs none",
    });
  }
  const madeBy = verdict === "made by uv" ? "uv" : verdict === "made by venv" ? "venv" : undefined;
  if (madeBy === undefined) return withoutPython(options);
  const venvDir = posix.join(sandbox.workDir, ".venv");
  const environment: PythonEnvironment = { venvDir, binDir: posix.join(venvDir, "bin"), madeBy };
  if (options.envPackages.length > 0) await installPackages(sandbox, environment, options);
  return environment;
}

function withoutPython(options: PythonOptions): undefined {
  if (options.envPackages.length === 0) {
    options.log("no Python in the sandbox: no virtual environment is made");
    return undefined;
  }
  throw new SandboxSetupError(
    "venv_creation_error",
    `no Python in the sandbox, but it is to have packages: ${options.envPackages.join(", ")}`,
    {
      hint: "use an image with python3 (3.3 or later) or uv",
    },
  );
}

async function installPackages(sandbox: Sandbox, environment: PythonEnvironment, options: PythonOptions): Promise<void> {
  const python = posix.join(environment.binDir, "python");
  const { envPackages, signal, log } = options;
  const installer =
    environment.madeBy === "uv"
      ? ["uv", "pip", "install", "--quiet", "--python", python]
      : [python, "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"];
  await runInstaller(sandbox, { command: [...installer, ...envPackages], what: `Python packages ${envPackages.join(", ")}`, signal, log });
}
