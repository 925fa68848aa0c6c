import { InputError } from "../errors.ts";

/** A large run costs money and hours: above a number of tasks somebody has to say that it is meant. */
export interface Confirmation {
  /** Asked for more tasks than this; at least 1. */
  readonly above: number;
  /** It was said beforehand: `--yes`, or the input `confirmed`. */
  readonly given: boolean;
  /** How to say it, for the message. */
  readonly remedy: string;
}

/**
 * Lets a run of so many tasks go on, or not.
 * @param ask asks the person at the terminal; absent where there is nobody
 * @throws InputError `not-confirmed`
 */
export async function confirmRun(
  tasks: number,
  confirmation: Confirmation | undefined,
  ask: ((question: string) => Promise<boolean>) | undefined,
): Promise<void> {
  if (confirmation === undefined || confirmation.given || tasks <= confirmation.above) return;
  const message = `${tasks} tasks would run, more than ${confirmation.above}`;
  if (ask !== undefined && (await ask(`${message}. Run them?`))) return;
  const said = ask === undefined ? `${message}, and nobody has confirmed that` : `${message}; nothing was run`;
  throw new InputError([{ severity: "error", code: "not-confirmed", message: said, hint: confirmation.remedy }]);
}
