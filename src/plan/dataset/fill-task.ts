import type { LoadedTask } from "../load.ts";
import { childOf } from "../schema/schema-keys.ts";
import type { TaskDefinition } from "../schema/task-schema.ts";
import { type Filling, fieldsTemplate, textTemplate } from "./placeholders.ts";
import type { NamedRow } from "./row.ts";

export type FillTask = (row: NamedRow, filling: Filling) => TaskDefinition;

/**
 * Makes the task of one row (formats.md 1.7, steps 4 and 5). What has no placeholder is shared by all rows. As in the
 * Python tool the filled task is not validated again: an empty value may well leave a field empty.
 */
export function taskFiller(loaded: LoadedTask): FillTask {
  const { definition } = loaded;
  const { initial_prompt, success_criteria, task_id } = definition;
  const prompt = initial_prompt === null ? undefined : textTemplate(initial_prompt, promptPath(loaded));
  const criteria = success_criteria.map((criterion, index) => fieldsTemplate(criterion, ["success_criteria", index]));
  const filled = criteria.some((template) => template !== undefined);
  return ({ id, row }, filling) => ({
    ...definition,
    task_id: `${task_id}/${id}`,
    suite_id: task_id,
    row_id: id,
    dataset: null,
    initial_prompt: prompt === undefined ? initial_prompt : prompt(row, filling),
    success_criteria: filled
      ? success_criteria.map((criterion, index) => {
          const changes = criteria[index]?.(row, filling);
          return changes === undefined ? criterion : { ...criterion, ...changes };
        })
      : success_criteria,
  });
}

/** Where a prompt stands: one that was read from a file is blamed where the file is named. */
function promptPath({ parsed }: LoadedTask): readonly PropertyKey[] {
  const written = childOf(parsed.value, "initial_prompt");
  return [written === undefined || written === null ? "initial_prompt_file" : "initial_prompt"];
}
