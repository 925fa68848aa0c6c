import { errorMessage } from "../errors.ts";
import { createCommands } from "../github/commands.ts";
import { savedRun } from "../github/state.ts";
import { createDockerDriver } from "../sandbox/docker/driver.ts";

/** Removes the containers that the main step left, as it does when the job was cancelled. Never throws, never fails the job. */
export async function runPost(host: NodeJS.Process): Promise<void> {
  const runId = savedRun();
  if (runId === undefined) return;
  const commands = createCommands(host.cwd());
  const log = (line: string): void => commands.lines(line, "evalbatch | ");
  try {
    const driver = await createDockerDriver({ runId, env: host.env, log });
    await driver.killAll();
  } catch (error) {
    // No engine, no containers: a run in temporary directories ends here.
    log(`no containers were removed: ${errorMessage(error)}`);
  }
}
