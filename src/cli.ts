import { cliMain } from "./commands/cli-program.ts";

process.exitCode = await cliMain(process);
