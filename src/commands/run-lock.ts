import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { InputError } from "../errors.ts";
import { storageError, systemCode } from "../results/atomic-file.ts";
import { currentOwner, type Owner, ownerState } from "../sandbox/docker/owner.ts";

const fileName = "run.lock";

const ownerSchema = z.object({ host: z.string(), boot: z.string(), pidNamespace: z.string(), pid: z.int(), startedAt: z.string() });

/**
 * Holds a run directory for this process: two runs in one directory would do every row twice and write over each other. The mark of a
 * process that is dead is taken over; one of another machine cannot be judged and is respected.
 * @returns lets go of it; never throws
 * @throws InputError `run-dir-busy`; EnvironmentError where it cannot be written
 */
export async function lockRunDir(runDir: string): Promise<() => Promise<void>> {
  const path = join(runDir, fileName);
  const self = currentOwner();
  for (let tries = 0; ; tries += 1) {
    if (await tryToLock(path, self)) break;
    const owner = await ownerOf(path);
    if (tries > 0 || (owner !== undefined && ownerState(owner, self) !== "dead")) throw busy(runDir, path, owner);
    await rm(path, { force: true });
  }
  return () => rm(path, { force: true }).catch(() => {});
}

async function tryToLock(path: string, self: Owner): Promise<boolean> {
  // Linked when it is whole: nobody may find it empty and take it for a dead one's.
  const draft = `${path}.${self.pid}`;
  try {
    await writeFile(draft, JSON.stringify(self));
    await link(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw storageError(error, path);
  } finally {
    await rm(draft, { force: true }).catch(() => {});
  }
}

/** Undefined where the file says nothing that is of use: its writer died while it wrote. */
async function ownerOf(path: string): Promise<Owner | undefined> {
  try {
    return ownerSchema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}

function busy(runDir: string, path: string, owner: Owner | undefined): InputError {
  const who = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
  return new InputError([
    {
      severity: "error",
      code: "run-dir-busy",
      message: `${who} is running in ${runDir}`,
      hint: `wait for its end, or name another directory; if there is no such process any more, remove ${path}`,
    },
  ]);
}
