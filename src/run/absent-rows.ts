import type { ResolvedTask } from "../plan/resolved-task.ts";
import { expectedLabelOf } from "../results/suites/expected-label.ts";
import type { AbsentRow } from "../results/suites/suite-totals.ts";

/**
 * Rows of datasets that have no result, for the numbers of their suites. They come from the plan and not from a redacted result:
 * of their texts only labels, metrics and descriptions are of use, and those are cleaned.
 */
export function absentRows(
  tasks: readonly ResolvedTask[],
  hasResult: (index: number) => boolean,
  clean: (text: string) => string,
): AbsentRow[] {
  const cleaned = new Map<string, string>();
  const cleanOnce = (text: string): string => {
    const known = cleaned.get(text) ?? clean(text);
    cleaned.set(text, known);
    return known;
  };
  const described = new Set<string>();
  return tasks.flatMap((task, order) => {
    const { suite_id: suiteId, row_id: rowId, success_criteria } = task.task;
    if (suiteId === null || hasResult(order)) return [];
    const { variantId } = task;
    const suite = JSON.stringify([variantId, suiteId]);
    // The first row of a suite names its criteria and thresholds.
    const isFirst = !described.has(suite);
    described.add(suite);
    const criteria = success_criteria.map((criterion) => {
      const { type, suite_thresholds, description } = criterion;
      const label = expectedLabelOf(criterion);
      return {
        type,
        ...(isFirst ? { description: cleanOnce(description), suite_thresholds: withKeys(suite_thresholds ?? {}, cleanOnce) } : {}),
        ...(type === "classification_match" && label !== undefined ? { expected_label: cleanOnce(label) } : {}),
        ...(type === "skill_triggered" ? { skill_name: "it", expected_skill: label === "yes" ? "it" : "" } : {}),
      };
    });
    return [{ variantId, suiteId, rowId: rowId ?? task.taskId, criteria, order }];
  });
}

/** A metric may hold a label's name. */
function withKeys(thresholds: Readonly<Record<string, number>>, clean: (text: string) => string): Record<string, number> {
  return Object.fromEntries(Object.entries(thresholds).map(([metric, minimum]) => [clean(metric), minimum]));
}
