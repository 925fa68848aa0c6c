import type { AgentEnd } from "../agents/agent.ts";
import type { ResolvedTask } from "../plan/resolved-task.ts";
import { oneLine } from "../results/gate-text.ts";
import { agentSettings } from "./agent-settings.ts";

/** What cut an attempt short whose agent the service refuses: the row is not final, a resume runs it again. */
export type AgentRefused = "agent refused";

/** What shares a key and an account, as far as a run can know it: the tasks of one agent with one model. */
export interface Customer {
  readonly agent: string;
  readonly model: string | undefined;
  /** Variables of which one holds the agent's key. */
  readonly credentials: readonly string[];
  /** Those of them that are set. */
  readonly given: readonly string[];
}

/** Remembers whose service refuses to work, so that one message is enough for all of its tasks. */
export interface AgentRefusals {
  /** How an agent ended. @returns whether it ended because its service refuses every task of it */
  note(customer: Customer, end: AgentEnd): boolean;
  /** Why a task of this agent is not worth its start; undefined when it is. */
  reasonFor(customer: Pick<Customer, "agent" | "model">): string | undefined;
}

interface Standing {
  works: boolean;
  refusals: number;
  reason: string | undefined;
}

/** So many refusals in a row of an agent that has worked before are no accident. */
const accidents = 1;
const saidChars = 300;

/**
 * Keys that are wrong and accounts that are empty concern every task of an agent: the first such answer stops its further starts; where
 * the agent has already worked in this run, the second in a row.
 * @param tell gets one line for each agent and model that is given up; foreign text
 */
export function createAgentRefusals(tell: (message: string) => void): AgentRefusals {
  const standings = new Map<string, Standing>();
  const keyOf = ({ agent, model }: Pick<Customer, "agent" | "model">): string => JSON.stringify([agent, model ?? null]);
  const standingOf = (customer: Customer): Standing => {
    const known = standings.get(keyOf(customer)) ?? { works: false, refusals: 0, reason: undefined };
    standings.set(keyOf(customer), known);
    return known;
  };
  return {
    note(customer, end) {
      const standing = standingOf(customer);
      if (end.kind === "completed" || end.kind === "stopped") {
        standing.works = true;
        standing.refusals = 0;
      }
      if (end.kind !== "crashed" || !(end.category === "agent_auth_error" || end.category === "agent_billing_error")) return false;
      standing.refusals += 1;
      if (standing.works && standing.refusals <= accidents) return false;
      if (standing.reason === undefined) {
        standing.reason = reasonOf(customer, end.category);
        tell(`no further task of ${nameOf(customer)} is started: ${oneLine(end.message, saidChars)}; ${remedy(customer, end.category)}`);
      }
      return true;
    },
    reasonFor: (customer) => standings.get(keyOf(customer))?.reason,
  };
}

function reasonOf(customer: Customer, category: "agent_auth_error" | "agent_billing_error"): string {
  return `${nameOf(customer)} ${category === "agent_auth_error" ? "was not let in by its service" : "has no credit left at its service"}`;
}

function nameOf({ agent, model }: Customer): string {
  return model === undefined ? `agent '${agent}'` : `agent '${agent}' with model '${model}'`;
}

function remedy({ credentials, given }: Customer, category: "agent_auth_error" | "agent_billing_error"): string {
  const resume = "then resume the run";
  const names = given.length > 0 ? given : credentials;
  const which = names.join(" or ");
  if (category === "agent_billing_error") return `check the account${which === "" ? "" : ` of the key in ${which}`}, ${resume}`;
  if (which === "") return `check the agent's key, ${resume}`;
  return given.length > 0 ? `check the key in ${which}, ${resume}` : `set ${which}, ${resume}`;
}

/** Whose key and account a task uses. */
export function customerOf(task: ResolvedTask): Pick<Customer, "agent" | "model"> {
  const agent = agentSettings(task);
  return { agent: agent.type ?? "none", model: agent.model ?? undefined };
}
