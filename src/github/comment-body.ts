import { md, type SafeMarkdown } from "../untrusted/markdown.ts";
import { type CommentMarker, markerLine } from "./comment-marker.ts";
import { fitMarkdown } from "./size-ladder.ts";

/**
 * GitHub refuses more than 65,536 characters, and reports differ on whether it counts characters, UTF-16 units or bytes: so both
 * are kept, with room. The marker counts too.
 */
const maxUnits = 60_000;
const maxBytes = 65_535;

/** Should GitHub refuse even what should fit. */
const cuts: readonly number[] = [maxUnits, 30_000, 10_000, 3_000];

const minimal = md`**The report is too large for a comment.** It is in the summary of the run and among its results.\n`;

export interface CommentBody {
  readonly text: string;
  /** A fuller rendering did not fit. */
  readonly shortened: boolean;
}

/** The bodies of a comment to try, the fullest that should fit first, each smaller than the one before; there is always one more to try but for the last. */
export interface CommentBodies {
  /** The one to try. */
  readonly current: CommentBody;
  /** Goes on to a smaller one; false when there is none. */
  shrink(): boolean;
}

/** @param ladder renderings from the fullest to the shortest; each is made only when it is needed */
export function commentBodies(ladder: Iterable<SafeMarkdown>, marker: CommentMarker): CommentBodies {
  const bodies = allBodies(ladder, marker);
  let current = bodies.next().value ?? smallestBody(marker);
  return {
    get current() {
      return current;
    },
    shrink() {
      const next = bodies.next().value;
      if (next === undefined) return false;
      current = next;
      return true;
    },
  };
}

function* allBodies(ladder: Iterable<SafeMarkdown>, marker: CommentMarker): Generator<CommentBody, undefined> {
  const first = markerLine(marker);
  let shortened = false;
  let shortest: SafeMarkdown | undefined;
  let units = Number.POSITIVE_INFINITY;
  for (const rendering of ladder) {
    const text = first + rendering;
    shortest = rendering;
    if (text.length < units && text.length <= maxUnits && Buffer.byteLength(text) <= maxBytes) {
      units = text.length;
      yield { text, shortened };
    }
    shortened = true;
  }
  for (const bytes of shortest === undefined ? [] : cuts) {
    const { text } = fitMarkdown([shortest ?? md``], bytes - first.length);
    if (text === "" || first.length + text.length >= units) continue;
    units = first.length + text.length;
    yield { text: first + text, shortened: true };
  }
  const smallest = smallestBody(marker);
  if (smallest.text.length < units) yield smallest;
  return undefined;
}

/** What it remembers goes too: it may be what is too large. */
function smallestBody(marker: CommentMarker): CommentBody {
  return { text: markerLine({ ...marker, data: "" }) + minimal, shortened: true };
}
