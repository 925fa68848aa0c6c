import { z } from "zod";
import { finalStatuses } from "../final-status.ts";
import { numberOr, numberOrNull, textOrNull } from "../tolerant.ts";

/** How an attempt ended. `INTERRUPTED`: it was cut short by a stop, a kill or the loss of the engine, and is no result. */
export const attemptStatuses = [...finalStatuses, "INTERRUPTED"] as const;

/** An attempt of a row that another one followed. */
export const earlierAttemptSchema = z.object({
  /** From 1. */
  attempt: numberOr(1),
  status: z.enum(attemptStatuses),
  weighted_score: numberOrNull,
  started_at: textOrNull,
  /** Seconds; null where nobody measured. */
  duration_seconds: numberOrNull,
  /** Why it was no success, one line; null for a success. */
  reason: textOrNull,
});

export type AttemptStatus = (typeof attemptStatuses)[number];
export type EarlierAttempt = z.infer<typeof earlierAttemptSchema>;

/** What is known of a row when an attempt of it begins. */
export interface AttemptHistory {
  /** Of the attempt that begins; from 1. */
  readonly attempt: number;
  /** Oldest first. */
  readonly earlier: readonly EarlierAttempt[];
}

export const firstAttempt: AttemptHistory = { attempt: 1, earlier: [] };
