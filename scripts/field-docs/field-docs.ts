import { agentDocs } from "./agent-docs.ts";
import { criteriaDocs } from "./criteria-docs.ts";
import { experimentDocs } from "./experiment-docs.ts";
import type { FieldDocs, FoundText } from "./field-text.ts";
import { laterCriteriaDocs } from "./later-criteria-docs.ts";
import { planDocs } from "./plan-docs.ts";
import { sandboxDocs } from "./sandbox-docs.ts";
import { runLimitsDocs, taskDocs } from "./task-docs.ts";

export const allTaskDocs: FieldDocs = {
  ...taskDocs,
  ...agentDocs,
  ...sandboxDocs,
  ...criteriaDocs,
  ...laterCriteriaDocs,
  ...runLimitsDocs,
};

/** Blocks that have the fields of another one: where a field has no text of its own, that one's holds. */
const alike: readonly (readonly [block: string, other: string])[] = [
  ["sandbox.record_cli[].responses[].when.", "success_criteria[]<cli_called>."],
  ["success_criteria[]<command_not_executed>.", "success_criteria[]<command_executed>."],
  ["success_criteria[]<agent_judge>.", "success_criteria[]<llm_judge>."],
  ["success_criteria[]<system_one_judge>.", "success_criteria[]<llm_judge>."],
];

/** The text of a field or kind of a task. */
export function taskText(path: string): FoundText | undefined {
  const other = alike.find(([block]) => path.startsWith(block));
  const paths = [path, ...(other === undefined ? [] : [other[1] + path.slice(other[0].length)])];
  for (const each of [...paths, ...paths.map((long) => long.replace(/^(.*)<[^>]*>/, "$1"))]) {
    const text = allTaskDocs[each];
    if (text !== undefined) return { keys: [each], text };
  }
  return undefined;
}

/** The text of a field or kind of an experiment: its own one, or that of the task's setting. */
export function experimentText(path: string): FoundText | undefined {
  const shared = path.replace(/^variants\[\]\./, "defaults.");
  for (const each of [path, shared]) {
    const text = experimentDocs[each];
    if (text !== undefined) return { keys: [`experiment: ${each}`], text };
  }
  const setting = shared.replace(/^defaults\.template_sources/, "sandbox.template_sources").replace(/^defaults\./, "");
  return taskText(setting) ?? textOfKinds(setting);
}

/** A field that only some kinds of agent have, in a block that may be of any kind. */
function textOfKinds(path: string): FoundText | undefined {
  const name = /^agent\.([^.]+)$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  const found = Object.entries(allTaskDocs).filter(([key]) => key.startsWith("agent<") && key.endsWith(`>.${name}`));
  if (found.length === 0) return undefined;
  const texts = found.map(([key, text]) => `For ${/<(.*)>/.exec(key)?.[1]}: ${text}`);
  return { keys: found.map(([key]) => key), text: texts.join(" ") };
}

/** Names of all texts, as `FoundText.keys` has them. */
export const allDocKeys: readonly string[] = [
  ...Object.keys(allTaskDocs),
  ...Object.keys(experimentDocs).map((key) => `experiment: ${key}`),
  ...Object.keys(planDocs).map((key) => `plan: ${key}`),
];
