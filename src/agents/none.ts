import type { AgentAdapter } from "./agent.ts";
import { emptyTurn } from "./turn.ts";

/** No agent: one empty turn; the criteria judge what templates and pre_run left (formats.md 10.7). */
export const noneAgent: AgentAdapter = {
  type: "none",
  run: async (context) => ({ end: { kind: "completed" }, turn: emptyTurn(context.prompt, context.now()) }),
};
