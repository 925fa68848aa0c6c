import assert from "node:assert/strict";
import test from "node:test";
import { attemptCell, hasHistory } from "../../../src/report/attempt-text.ts";
import { type EarlierAttempt, earlierAttemptSchema } from "../../../src/results/resume/attempt-history.ts";
import { joinAttempts } from "../../../src/results/resume/earlier-attempts.ts";

const ended = (status: EarlierAttempt["status"], reason: string | null = null, attempt = 1): EarlierAttempt =>
  earlierAttemptSchema.parse({ attempt, status, reason });

test("a row that ran once, now, has no history", () => {
  const row = { attempt: 1, earlier_attempts: [], kept: false };
  assert.equal(hasHistory(row), false);
  assert.equal(attemptCell(row, 50), "1");
});

test("the attempts before are told with why they were no success, what was cut short by its status alone", () => {
  const earlier = [ended("INTERRUPTED", "it left no result"), ended("ERROR", "no space left on device", 2)];
  assert.equal(
    attemptCell({ attempt: 3, earlier_attempts: earlier, kept: false }, 50),
    "3; before: INTERRUPTED, ERROR (no space left on device)",
  );
  assert.equal(attemptCell({ attempt: 3, earlier_attempts: earlier, kept: true }, 9), "3, kept; before: INTERRUPTED, ERROR (no space…)");
  assert.equal(attemptCell({ attempt: 1, earlier_attempts: [], kept: true }, 9), "1, kept");
});

test("attempts that ended alike are told once, and of many the last ones", () => {
  const same = Array.from({ length: 7 }, () => ended("ERROR", "no engine"));
  assert.equal(attemptCell({ attempt: 8, earlier_attempts: same, kept: false }, 50), "8; before: 7 × ERROR (no engine)");
  const different = ["a", "b", "c", "d", "e"].map((reason) => ended("FAILURE", reason));
  assert.equal(
    attemptCell({ attempt: 6, earlier_attempts: different, kept: false }, 50),
    "6; before: …, FAILURE (b), FAILURE (c), FAILURE (d), FAILURE (e)",
  );
});

test("of a history that has left out attempts in the middle no number is told as if it were all", () => {
  const numbered = (from: number, to: number, reason: string | null = null) =>
    Array.from({ length: to - from + 1 }, (_, index) => ended("FAILURE", reason, from + index));
  const told = (earlier: readonly EarlierAttempt[]) => attemptCell({ attempt: 60, earlier_attempts: [...earlier], kept: false }, 50);
  assert.equal(told([...numbered(1, 24), ...numbered(36, 59)]), "60; before: 48 or more × FAILURE");
  assert.equal(told([...numbered(1, 24, "a"), ...numbered(36, 59)]), "60; before: 24 × FAILURE (a), …, 24 × FAILURE");
  assert.equal(told([...numbered(1, 1), ...numbered(3, 3)]), "60; before: 2 or more × FAILURE");
  assert.equal(told(joinAttempts(numbered(1, 59))), "60; before: 49 or more × FAILURE");
  assert.equal(told(joinAttempts(numbered(1, 49))), "60; before: 49 × FAILURE");
});
