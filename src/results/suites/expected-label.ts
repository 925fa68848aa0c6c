import { isObject } from "../any-object.ts";

/** Observed where a row of a classification has no label: it ended in an error, ran out of time, or was never run. */
export const errorLabel = "(error)";
/** Expected where nothing tells what was. */
export const unknownLabel = "(unknown)";

const classificationTypes: ReadonlySet<string> = new Set(["classification_match", "skill_triggered"]);

export function isClassification(type: string): boolean {
  return classificationTypes.has(type);
}

/**
 * What a resolved criterion expects, as its checker would write it into a result (formats.md 2.2): the allowed label that the
 * expected one stands for, or whether the skill is the expected one.
 */
export function expectedLabelOf(criterion: unknown): string | undefined {
  if (!isObject(criterion)) return undefined;
  if (criterion.type === "skill_triggered") {
    const { expected_skill: expected, skill_name: name } = criterion;
    return typeof expected === "string" && typeof name === "string" ? (expected === name ? "yes" : "no") : undefined;
  }
  const { expected_label: label, allowed_labels: allowed, case_sensitive: exactly } = criterion;
  if (criterion.type !== "classification_match" || typeof label !== "string") return undefined;
  const form = (text: string) => (exactly === true ? text : text.toLowerCase());
  const labels = Array.isArray(allowed) ? allowed.filter((entry) => typeof entry === "string") : [];
  return labels.find((entry) => form(entry) === form(label)) ?? label;
}
