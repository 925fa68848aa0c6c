import { runAction } from "./commands/action.ts";

process.exitCode = await runAction(process);
