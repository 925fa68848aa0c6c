import { createHash } from "node:crypto";
import { getAgent } from "../agents/registry.ts";
import { DeadlineError, errorMessage } from "../errors.ts";
import type { EnvProbe } from "../plan/env-probes.ts";
import type { ResolvedDefinition } from "../plan/resolved-task.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { askVersions } from "./ask-versions.ts";
import { withDeadline } from "./deadline.ts";
import type { PreparedSandbox } from "./setup-stage.ts";
import type { TaskLog } from "./task-log.ts";

/** Name of what was asked for → the first line of the answer, or the marker of formats.md 5.7. */
export type Versions = Readonly<Record<string, string>>;

export interface ProbeContext {
  readonly task: { readonly taskDir: string; readonly task: Pick<ResolvedDefinition, "agent" | "sandbox" | "pre_run"> };
  readonly sandbox: Sandbox;
  readonly prepared: PreparedSandbox;
  readonly log: Pick<TaskLog, "foreign">;
  readonly signal: AbortSignal;
}

/** Asks sandboxes for versions (formats.md 8.7). One per run: what is equal in image and set-up is asked once. */
export interface VersionProbes {
  /** What does not answer is missing or marked; it never fails a task. @throws the signal's reason */
  of(context: ProbeContext): Promise<Versions>;
}

export interface VersionProbeOptions {
  /** Of the user, beside those that are built in. */
  readonly own: readonly EnvProbe[];
  /** Hides secrets. */
  readonly redact: (text: string) => string;
}

/** Of one sandbox, however many commands there are. */
const allProbesMs = 60_000;

export function createVersionProbes(options: VersionProbeOptions): VersionProbes {
  /** Undefined: the sandbox that was asked went away; the next one is asked. */
  const answers = new Map<string, Promise<Versions | undefined>>();

  function ask(key: string, context: ProbeContext): Promise<Versions | undefined> {
    const answer = askInTime(options, context).catch((error: unknown) => {
      answers.delete(key);
      if (!context.signal.aborted) context.log.foreign("versions", `not asked for: ${errorMessage(error)}`);
      return undefined;
    });
    answers.set(key, answer);
    return answer;
  }

  return {
    async of(context) {
      const { signal } = context;
      const key = setUpKey(context, options.own.length > 0);
      for (let known = answers.get(key); known !== undefined; known = answers.get(key)) {
        const shared = known;
        const versions = await withDeadline("versions", 2 * allProbesMs, signal, async () => await shared);
        if (versions !== undefined) return versions;
      }
      const versions = await ask(key, context);
      signal.throwIfAborted();
      return versions ?? {};
    },
  };
}

/**
 * What decides the answers: the image and what is installed into it. A template changes none of the common programs, but a user's command
 * may read it. On the host the common programs are the same for all.
 */
function setUpKey({ task: { task, taskDir }, sandbox }: ProbeContext, hasOwn: boolean): string {
  const { driver, imageId, image } = sandbox.facts;
  const agent = versionCommandOf(task.agent.type, sandbox);
  if (driver === "tempdir" && !hasOwn) return JSON.stringify([driver, agent]);
  const { limits: _limits, template_sources: templates, ...setUp } = task.sandbox;
  const files = hasOwn && templates !== null && templates.length > 0 ? [taskDir, templates] : [];
  const all = JSON.stringify([driver, imageId ?? image, agent, setUp, task.pre_run, ...files]);
  return createHash("sha256").update(all).digest("hex");
}

function versionCommandOf(type: string | null, sandbox: Sandbox): string | undefined {
  const { versionCommand, cli } = getAgent(type ?? "none");
  const kitDir = cli === undefined ? undefined : sandbox.kitDir(cli.kit.name);
  return cli === undefined || kitDir === undefined ? versionCommand : `'${kitDir}/bin/${cli.kit.name}' --version`;
}

async function askInTime({ own, redact }: VersionProbeOptions, context: ProbeContext): Promise<Versions> {
  const { task, sandbox, prepared, log } = context;
  const { type } = task.task.agent;
  const versions = new Map<string, string>();
  const onAnswer = (name: string, version: string): void => void versions.set(name, version);
  const agent = { name: type ?? "none", versionCommand: versionCommandOf(type, sandbox) };
  try {
    await withDeadline("versions", allProbesMs, context.signal, (signal) =>
      askVersions({ sandbox, agentEnv: prepared.agentEnv, python: prepared.python, agent, own, redact, onAnswer, signal }),
    );
  } catch (error) {
    // Of a lost sandbox nothing follows for the next; but one that is slow would be slow again for every task.
    if (!(error instanceof DeadlineError)) throw error;
    log.foreign("versions", error.message);
  }
  const told = [...versions].map(([name, version]) => `${name}: ${version}`);
  if (told.length > 0) log.foreign("versions", told.join("; "));
  return Object.fromEntries(versions);
}
