import { runPost } from "./commands/action-post.ts";
import { endProcess } from "./commands/end-process.ts";

await runPost(process);
await endProcess(process, 0);
