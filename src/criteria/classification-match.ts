import { z } from "zod";
import { stripText } from "../python/text.ts";
import { laxBool } from "../schema/lax.ts";
import { type CheckOutcome, type CriterionChecker, criterionBase, failedCheck } from "./criterion.ts";
import { repr } from "./json/repr.ts";
import { locate, outsideError, readText } from "./sandbox-path.ts";

export const classificationMatchSchema = criterionBase.extend({
  type: z.literal("classification_match"),
  path: z.string(),
  expected_label: z.string(),
  allowed_labels: z.array(z.string()).min(1),
  case_sensitive: laxBool().default(false),
});

type ClassificationMatch = z.output<typeof classificationMatchSchema>;

const noLabel = "(none)";
const otherLabel = "(other)";

function canonicalLabel(label: string, { allowed_labels, case_sensitive }: ClassificationMatch): string | undefined {
  if (case_sensitive) return allowed_labels.find((allowed) => allowed === label);
  return allowed_labels.find((allowed) => allowed.toLowerCase() === label.toLowerCase());
}

/** Compares what the file says (undefined: no file) with the expected label. */
export function classify(content: string | undefined, criterion: ClassificationMatch): CheckOutcome {
  const label = stripText(content ?? "");
  const observed = label === "" ? noLabel : (canonicalLabel(label, criterion) ?? otherLabel);
  const expected = canonicalLabel(criterion.expected_label, criterion) ?? criterion.expected_label;
  return {
    score: observed === expected ? 1 : 0,
    details: `observed=${repr(observed)}, expected=${repr(expected)}`,
    error: null,
    observedLabel: observed,
    expectedLabel: expected,
  };
}

export const classificationMatch: CriterionChecker<typeof classificationMatchSchema> = {
  type: "classification_match",
  schema: classificationMatchSchema,
  check: async (criterion, context) => {
    const located = await locate(criterion.path, context);
    if (located.kind === "missing") return classify(undefined, criterion);
    if (located.kind === "outside") return failedCheck(outsideError(criterion.path));
    const read = await readText(criterion.path, context);
    return read.kind === "none" ? failedCheck(read.error) : classify(read.text, criterion);
  },
};
