// Run as a program: post-child.ts BOUNDS  The post step with bounds of its own (JSON), with what the environment says.
import { runPost } from "../../src/commands/action-post.ts";
import { endProcess } from "../../src/commands/end-process.ts";

await runPost(process, JSON.parse(process.argv[2] ?? ""));
await endProcess(process, 0);
