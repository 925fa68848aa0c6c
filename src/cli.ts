import { cliMain } from "./commands/cli-program.ts";
import { endProcess } from "./commands/end-process.ts";

await endProcess(process, await cliMain(process));
