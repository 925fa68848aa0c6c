import { openDriver } from "./engine.ts";

// A run of its own process, for the tests of the sweep: starts a sandbox, says so, and waits to be killed.
const docker = await openDriver({ runId: process.argv[2] ?? "" });
const sandbox = await docker.start();
process.stdout.write(`${sandbox.facts.containerId}\n`);
setInterval(() => undefined, 1000);
