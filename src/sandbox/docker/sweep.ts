import { errorMessage } from "../../errors.ts";
import type { EngineClient } from "./client.ts";
import { hasStatus } from "./engine-error.ts";
import { labelNames, parseOwner } from "./labels.ts";
import { type Owner, ownerState } from "./owner.ts";
import { containerListSchema, networkListSchema, volumeListSchema } from "./responses.ts";
import { whileAnswering } from "./while-answering.ts";

export interface SweepDeps {
  readonly client: EngineClient;
  readonly self: Owner;
  readonly runId: string;
  readonly nowMs: () => number;
  readonly log: (line: string) => void;
}

/** What another process's removal of a container may take, in milliseconds. */
const removalMs = 5_000;

type Labels = Readonly<Record<string, string>>;

/** Whether a thing of ours is rubbish: its time is over, or the process that made it is dead. Another run that lives keeps its own. */
export function isLeftover(labels: Labels, self: Owner, runId: string, nowMs: number): boolean {
  if (labels[labelNames.run] === undefined || labels[labelNames.run] === runId) return false;
  const expires = Number(labels[labelNames.expires]);
  if (Number.isFinite(expires) && expires > 0 && expires * 1000 < nowMs) return true;
  const owner = parseOwner(labels[labelNames.owner]);
  return owner !== undefined && ownerState(owner, self) === "dead";
}

/** Removes what dead runs left: containers first, then what they used. Gives how many things went; never throws. */
export async function sweepLeftovers(deps: SweepDeps): Promise<number> {
  const isRubbish = (labels: Labels | null | undefined) => isLeftover(labels ?? {}, deps.self, deps.runId, deps.nowMs());
  try {
    return await removeLabelled(deps, labelNames.run, isRubbish);
  } catch (error) {
    deps.log(`warning: could not look for leftovers of earlier runs: ${errorMessage(error)}`);
    return 0;
  }
}

/** Removes everything of one run, in parallel, and gives up soon when the engine is silent. Gives how many things went; never throws. */
export async function removeRun(deps: Pick<SweepDeps, "client" | "runId" | "log">): Promise<number> {
  try {
    const label = `${labelNames.run}=${deps.runId}`;
    return await whileAnswering(deps.client, (client) => removeLabelled({ ...deps, client }, label, () => true));
  } catch (error) {
    deps.log(`warning: could not remove the containers of run ${deps.runId}: ${errorMessage(error)}`);
    return 0;
  }
}

async function removeLabelled(
  deps: Pick<SweepDeps, "client" | "log">,
  label: string,
  wanted: (labels: Labels | null | undefined) => boolean,
): Promise<number> {
  const { client } = deps;
  const query = { filters: JSON.stringify({ label: [label] }) };
  const [containers, networks, volumes] = await Promise.all([
    client.json(containerListSchema, { method: "GET", path: "/containers/json", query: { ...query, all: true } }),
    client.json(networkListSchema, { method: "GET", path: "/networks", query }),
    client.json(volumeListSchema, { method: "GET", path: "/volumes", query }),
  ]);
  const remove = async (path: string, flags: Readonly<Record<string, boolean>>): Promise<number> => {
    try {
      await client.call({ method: "DELETE", path, query: flags });
      return 1;
    } catch (error) {
      // Somebody else removes it just now: who asks next shall not find it any more.
      if (hasStatus(error, 409) && path.startsWith("/containers/")) await untilRemoved(client, path);
      else if (!hasStatus(error, 404, 409)) deps.log(`warning: could not remove ${path}: ${errorMessage(error)}`);
      return 0;
    }
  };
  const first = containers.filter((one) => wanted(one.Labels)).map(({ Id }) => remove(`/containers/${Id}`, { force: true, v: true }));
  const gone = await Promise.all(first);
  const rest = await Promise.all([
    ...networks.filter((one) => wanted(one.Labels)).map(({ Id }) => remove(`/networks/${Id}`, {})),
    ...(volumes.Volumes ?? [])
      .filter((one) => wanted(one.Labels))
      .map(({ Name }) => remove(`/volumes/${encodeURIComponent(Name)}`, { force: true })),
  ]);
  return [...gone, ...rest].reduce((sum, count) => sum + count, 0);
}

/** An engine that does not come to the end of its removal is left to it. */
async function untilRemoved(client: EngineClient, path: string): Promise<void> {
  const request = { method: "POST", path: `${path}/wait`, query: { condition: "removed" }, timeoutMs: removalMs } as const;
  await client.call(request).catch(() => undefined);
}
