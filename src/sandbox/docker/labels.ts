import type { Owner } from "./owner.ts";

/** The labels on every container, network and volume of ours. Nothing else spells `evalbatch.`. */
export const labelNames = {
  run: "evalbatch.run",
  task: "evalbatch.task",
  expires: "evalbatch.expires",
  owner: "evalbatch.owner",
  /** On images that we built. */
  built: "evalbatch.built",
  /** On volumes with kits, which outlive the run: name and version of the agent. */
  kit: "evalbatch.kit",
  /** Unix seconds. */
  kitMade: "evalbatch.kit-made",
} as const;

export interface Stamp {
  readonly runId: string;
  readonly key: string;
  /** Unix seconds after which the thing is rubbish whoever made it. */
  readonly expiresAt: number;
  readonly owner: Owner;
}

/** The labels of a thing that we make. */
export function stampLabels(stamp: Stamp): Record<string, string> {
  const { host, boot, pidNamespace, pid, startedAt } = stamp.owner;
  return {
    [labelNames.run]: stamp.runId,
    [labelNames.task]: stamp.key,
    [labelNames.expires]: String(stamp.expiresAt),
    [labelNames.owner]: JSON.stringify([host, boot, pidNamespace, pid, startedAt]),
  };
}

/** The owner that a label names, `undefined` for a label that we did not write so. */
export function parseOwner(label: string | undefined): Owner | undefined {
  try {
    const parts: unknown = JSON.parse(label ?? "");
    if (!Array.isArray(parts) || parts.length !== 5) return undefined;
    const [host, boot, pidNamespace, pid, startedAt]: unknown[] = parts;
    if (typeof host !== "string" || typeof boot !== "string" || typeof pidNamespace !== "string") return undefined;
    if (typeof startedAt !== "string" || typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
    return { host, boot, pidNamespace, pid, startedAt };
  } catch {
    return undefined;
  }
}
