import { homedir } from "node:os";
import { z } from "zod";
import { type EvaluationResult, evaluationResultSchema } from "../../src/results/task-result.ts";
import { type CliEnd, makeProject, type Project, type RunningCli, startCli } from "../e2e/cli.ts";
import { sessionMark } from "../fakes/model-server/request.ts";
import { helloFile } from "../fakes/model-server/scenarios.ts";
import { type AgentType, agents, serviceEnv } from "./agents.ts";
import type { Stage } from "./stage.ts";

export interface AgentTask {
  /** Also the session at the scripted service. */
  readonly id: string;
  readonly type: AgentType;
  readonly scenario: string;
  /** Fields of `run_limits`. */
  readonly limits?: Readonly<Record<string, number>>;
  /** Fields of `agent`. */
  readonly agent?: Readonly<Record<string, unknown>>;
  readonly image?: string;
  readonly memoryMb?: number;
  readonly criteria?: readonly object[];
  readonly driver?: "docker" | "tempdir";
}

/** The file is there and does what its text says. */
export const helloWorks = {
  type: "run_command",
  description: "the program that was written greets",
  command: `python3 ${helloFile} | grep -qx 'hello from the script'`,
};

export interface AgentRun extends AsyncDisposable {
  readonly end: CliEnd;
  readonly project: Project;
  readonly run: z.output<typeof runSchema>;
  resultOf(id: string): Promise<EvaluationResult>;
}

const runSchema = z.looseObject({
  verdict: z.string(),
  task_results: z.array(z.looseObject({ task_id: z.string(), status: z.string() })),
  not_run: z.array(z.looseObject({ task_id: z.string(), reason: z.string() })),
});

export interface RunOptions {
  readonly key?: string;
  readonly concurrency?: number;
  /** Factor of the waits before retries. */
  readonly delayScale?: number;
  readonly args?: readonly string[];
}

/** A running `evalbatch run` of these tasks, on the stage's network. */
export async function startAgents(
  stage: Stage,
  tasks: readonly AgentTask[],
  options: RunOptions = {},
): Promise<{ readonly cli: RunningCli; readonly project: Project }> {
  const { key = "sk-test-key-0123456789", concurrency = 2, delayScale = 0.002, args = [] } = options;
  const files = Object.fromEntries(tasks.map((task) => [`tasks/${task.id}.yaml`, JSON.stringify(taskOf(stage, task))]));
  const project = await makeProject(files);
  const all = ["run", "tasks", "-o", "out", "-j", String(concurrency), "--verbose", ...args];
  const env = {
    ...serviceEnv(stage.server.url("ok"), key),
    EVALBATCH_RETRY_DELAY_SCALE: String(delayScale),
    // npm and the cache of the kits are those of whoever tests.
    HOME: homedir(),
    EVALBATCH_KITS_DIR: process.env.EVALBATCH_KITS_DIR,
    NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS,
  };
  return { cli: startCli(all, { cwd: project.dir, env }), project };
}

/** The same to its end. */
export async function runAgents(stage: Stage, tasks: readonly AgentTask[], options: RunOptions = {}): Promise<AgentRun> {
  const { cli, project } = await startAgents(stage, tasks, options);
  const end = await cli.end;
  try {
    return {
      end,
      project,
      run: await project.readJson("out/run.json", runSchema),
      resultOf: (id) => project.readJson(`out/default/${id}/00/task.json`, evaluationResultSchema),
      [Symbol.asyncDispose]: () => project[Symbol.asyncDispose](),
    };
  } catch (error) {
    await project[Symbol.asyncDispose]();
    throw new Error(`the run left no results:\n${end.stderr}${end.stdout}`, { cause: error });
  }
}

function taskOf(stage: Stage, task: AgentTask): object {
  const { type, id, scenario, criteria = [helloWorks], driver = "docker" } = task;
  return {
    task_id: id,
    description: id,
    initial_prompt: `Write ${helloFile} and run it. ${sessionMark(id, scenario)}`,
    agent: { type, model: agents[type].model, permission_mode: "bypassPermissions", ...task.agent },
    sandbox: {
      driver,
      python: null,
      ...(driver === "docker" && {
        docker: { image: task.image ?? stage.images.user, network: stage.network, env_passthrough: [] },
      }),
      ...(task.memoryMb === undefined ? {} : { limits: { max_memory_mb: task.memoryMb } }),
    },
    run_limits: { task_timeout: 240, turn_timeout: 200, ...task.limits },
    success_criteria: criteria,
  };
}
