import { errorMessage } from "../../errors.ts";
import type { EngineClient } from "./client.ts";
import { hasStatus } from "./engine-error.ts";
import { labelNames } from "./labels.ts";
import { volumeListSchema } from "./responses.ts";

/** Kits that were filled longer ago are removed: what is still used is filled again in seconds. */
const keepMs = 14 * 24 * 60 * 60_000;

/** Removes volumes of kits that were filled more than 14 days ago and that no container has. Never throws. */
export async function removeOldKits(client: EngineClient, nowMs: number, log: (line: string) => void): Promise<void> {
  try {
    const query = { filters: JSON.stringify({ label: [labelNames.kit] }) };
    const { Volumes } = await client.json(volumeListSchema, { method: "GET", path: "/volumes", query });
    for (const { Name, Labels } of Volumes ?? []) {
      if (!isOldKit(Labels ?? {}, nowMs)) continue;
      try {
        // Not by force: 409 is a container that has it.
        await client.call({ method: "DELETE", path: `/volumes/${encodeURIComponent(Name)}` });
        log(`removed ${Name}, a kit that is older than 14 days`);
      } catch (error) {
        if (!hasStatus(error, 404, 409)) throw error;
      }
    }
  } catch (error) {
    log(`warning: could not remove old kits: ${errorMessage(error)}`);
  }
}

/** Whether the labels are those of a kit that was filled too long ago. */
export function isOldKit(labels: Readonly<Record<string, string>>, nowMs: number): boolean {
  const madeAt = Number(labels[labelNames.kitMade] ?? Number.NaN);
  return labels[labelNames.kit] !== undefined && Number.isFinite(madeAt) && nowMs - madeAt * 1000 > keepMs;
}
