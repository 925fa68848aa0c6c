import { EnvironmentError, errorMessage } from "../errors.ts";
import { createCommands } from "../github/commands.ts";
import { savedRun } from "../github/state.ts";
import { connectEngine } from "../sandbox/docker/connect.ts";
import { discoverEndpoints } from "../sandbox/docker/discover.ts";
import { removeRun } from "../sandbox/docker/sweep.ts";

/** Removes the containers that the main step left, as when the job was cancelled hard. Never throws, never fails the job. */
export async function runPost(host: NodeJS.Process): Promise<void> {
  const runId = savedRun();
  if (runId === undefined) return;
  const log = (line: string): void => createCommands(host.cwd()).lines(line, "evalbatch | ");
  try {
    const { client } = await connectEngine(discoverEndpoints(host.env, host.platform));
    const removed = await removeRun({ client, runId, log });
    client.close();
    if (removed > 0) log(`removed ${removed} containers, networks and volumes that the run had left`);
  } catch (error) {
    // Without an engine there are no containers: a run in temporary directories ends here.
    if (!(error instanceof EnvironmentError)) log(`the containers of run ${runId} could not be removed: ${errorMessage(error)}`);
  }
}
