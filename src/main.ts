import { runAction } from "./commands/action.ts";
import { endProcess } from "./commands/end-process.ts";

await endProcess(process, await runAction(process));
