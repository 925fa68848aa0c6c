import { responderSource } from "../criteria/cli/responder-source.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { setUpMocks } from "../sandbox/cli-mocks/set-up-mocks.ts";
import { commandEnvironment, ownPath } from "../sandbox/environments/command-environment.ts";
import { setUpNode } from "../sandbox/environments/node.ts";
import { type PythonEnvironment, setUpPython } from "../sandbox/environments/python.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { applyTemplates } from "../sandbox/templates/apply-templates.ts";
import type { RepoSource } from "../sandbox/templates/repo-source.ts";
import type { Attempt } from "./attempt.ts";
import { runHooks } from "./hooks.ts";
import type { TaskLog } from "./task-log.ts";

/** What the tasks of one run share, so that it is found out or fetched once. */
export interface SharedSetup {
  readonly repos: RepoSource;
  /** Ids of images that were seen to have no Python: asking each container again would cost an exec per task. */
  readonly imagesWithoutPython: Set<string>;
}

/** What every stage inside a sandbox works with. */
export interface StageContext {
  readonly task: ResolvedTask;
  readonly sandbox: Sandbox;
  readonly attempt: Attempt;
  readonly log: TaskLog;
  readonly shared: SharedSetup;
  readonly signal: AbortSignal;
}

export interface PreparedSandbox {
  readonly python: PythonEnvironment | undefined;
  /** Stand-ins of tools, for `commandEnvironment`. */
  readonly mockDirs: readonly string[];
  /** What the agent has on top of the sandbox's environment. */
  readonly agentEnv: Readonly<Record<string, string>>;
}

/**
 * Templates, stand-ins of tools, Python, Node, pre_run, in this order (formats.md 1.4).
 * @throws SandboxSetupError, SandboxLostError, EnvironmentError, or the signal's reason
 */
export async function prepareSandbox(context: StageContext): Promise<PreparedSandbox> {
  const { task, sandbox, attempt, log, shared, signal } = context;
  const config = task.task.sandbox;
  const note = (line: string): void => log.foreign("setup", line);
  const sources = config.template_sources ?? [];
  if (sources.length > 0) {
    log.write("INFO", `applying ${sources.length} template ${sources.length === 1 ? "source" : "sources"}`);
    await applyTemplates(sandbox, sources, {
      ignorePatterns: config.ignore_patterns,
      taskDir: task.taskDir,
      repos: shared.repos,
      log: note,
      signal,
    });
  }
  const mockDirs = await prepareMocks(context, note);
  const python = await preparePython(context, note);
  if (config.node !== null) {
    Object.assign(attempt.installedTools, await setUpNode(sandbox, { envPackages: config.node.env_packages, log: note, signal }));
  }
  await runHooks("pre_run", task.task.pre_run, { sandbox, log, signal, onResult: (result) => void attempt.preRun.push(result) });
  const hasAgent = task.task.agent.type !== "none";
  const environment = { python, mockDirs, taskDir: undefined, forAgent: true, signal };
  return { python, mockDirs, agentEnv: hasAgent ? await commandEnvironment(sandbox, environment) : {} };
}

async function prepareMocks(context: StageContext, log: (line: string) => void): Promise<readonly string[]> {
  const { task, sandbox, signal } = context;
  const { record_cli, mock_path_dirs } = task.task.sandbox;
  const recorded = record_cli ?? [];
  const mockDirs = mock_path_dirs ?? [];
  if (recorded.length + mockDirs.length === 0) return [];
  const path = await ownPath(sandbox, signal);
  return await setUpMocks(sandbox, { recorded, mockDirs, path, responderSource, hostNode: process.execPath, log, signal });
}

async function preparePython(context: StageContext, log: (line: string) => void): Promise<PythonEnvironment | undefined> {
  const { task, sandbox, shared, signal } = context;
  const config = task.task.sandbox.python;
  if (config === null) return undefined;
  const { imageId } = sandbox.facts;
  const isDefault = config.env_packages.length === 0;
  if (isDefault && imageId !== undefined && shared.imagesWithoutPython.has(imageId)) return undefined;
  const python = await setUpPython(sandbox, { envPackages: config.env_packages, log, signal });
  if (python === undefined && imageId !== undefined) shared.imagesWithoutPython.add(imageId);
  return python;
}
