import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { classificationMatchSchema, classify } from "../../../../src/criteria/classification-match.ts";
import { expectedLabelOf, isClassification } from "../../../../src/results/suites/expected-label.ts";

test("the expected label is the one that a graded row would have", () => {
  const text = fc.constantFrom("yes", "Yes", "YES", "no", "nO", "other", "", "ß", "SS", "İ");
  fc.assert(
    fc.property(text, fc.array(text, { minLength: 1, maxLength: 5 }), fc.boolean(), (expected_label, allowed_labels, case_sensitive) => {
      const written = { type: "classification_match", description: "", path: "p", expected_label, allowed_labels, case_sensitive };
      const criterion = classificationMatchSchema.parse(written);
      assert.equal(expectedLabelOf(written), classify(undefined, criterion).expectedLabel);
    }),
  );
});

test("a skill is expected where it is the one that the row names", () => {
  const skill = (expected_skill: unknown) => expectedLabelOf({ type: "skill_triggered", skill_name: "alpha", expected_skill });
  assert.deepEqual([skill("alpha"), skill("beta"), skill(""), skill(null)], ["yes", "no", "no", undefined]);
});

test("other criteria, and what is no criterion, expect no label", () => {
  for (const value of [{ type: "file_exists", expected_label: "x" }, { type: "classification_match" }, null, "yes", [], undefined]) {
    assert.equal(expectedLabelOf(value), undefined);
  }
  assert.deepEqual(["classification_match", "skill_triggered", "file_exists", "llm_judge"].map(isClassification), [
    true,
    true,
    false,
    false,
  ]);
});
