import type { KitMount } from "./kit-mounts.ts";
import type { ContainerLimits } from "./limits.ts";
import { mainScript } from "./main-script.ts";
import type { BindMount } from "./mounts.ts";

export interface ContainerSpec {
  readonly image: string;
  readonly workDir: string;
  readonly env: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly limits: ContainerLimits;
  /** `bridge`, `none`, or a network that the engine has. */
  readonly network: string;
  readonly mounts: readonly BindMount[];
  readonly kits: readonly KitMount[];
  readonly lifeSeconds: number;
}

/** What a package manager that runs as root needs (`chown`, dropping to another user, ending its children), and no more. */
const capabilities = ["CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETUID", "SETGID", "KILL"];

/** The body of `POST /containers/create`. */
export function createOptions(spec: ContainerSpec) {
  return {
    Image: spec.image,
    Entrypoint: ["/bin/sh", "-c", mainScript, "evalbatch"],
    Cmd: [String(Math.ceil(spec.lifeSeconds))],
    WorkingDir: spec.workDir,
    Env: Object.entries(spec.env).map(([name, value]) => `${name}=${value}`),
    Labels: spec.labels,
    OpenStdin: true,
    // A check of the image's own would run beside the agent and count against its limits.
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      // An engine may be configured to put an init process in front of every container.
      Init: false,
      NetworkMode: spec.network,
      Memory: spec.limits.memoryBytes,
      // Equal, so that there is no swap: a task at its limit is killed instead of crawling for ever.
      MemorySwap: spec.limits.memoryBytes,
      NanoCpus: Math.round(spec.limits.cpus * 1e9),
      PidsLimit: spec.limits.pids,
      CapDrop: ["ALL"],
      CapAdd: capabilities,
      SecurityOpt: ["no-new-privileges"],
      // PID 1 writes nothing; output of commands comes through exec.
      LogConfig: { Type: "none" },
      Mounts: [
        ...spec.mounts.map((mount) => ({ Type: "bind", Source: mount.source, Target: mount.target, ReadOnly: mount.readOnly })),
        ...spec.kits.map(({ volume, target }) => ({
          Type: "volume",
          Source: volume,
          Target: target,
          ReadOnly: true,
          VolumeOptions: { NoCopy: true },
        })),
      ],
    },
  };
}

/** A valid container name that tells the task, without a fixed name that a second run could clash with. */
export function containerName(runId: string, key: string, nonce: string): string {
  const words = `${runId}-${key}`.replaceAll(/[^A-Za-z0-9_.-]+/g, "_").slice(0, 100);
  return `evalbatch-${words}-${nonce}`;
}
