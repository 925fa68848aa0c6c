import { runPost } from "./commands/action-post.ts";

await runPost(process);
