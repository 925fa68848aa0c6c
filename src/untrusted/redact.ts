// Secrets leave in files and texts that the runner's own masks never see (artifacts, comments). What is hidden: each
// given secret in every form that it comes back in, and what has the shape of a well-known token.

import { createNeedleSearch, type NeedleSearch } from "./needle-search.ts";
import { createSecretSearch, type SecretSearch } from "./secret-bytes.ts";
import { secretForms } from "./secret-forms.ts";
import { findTokenShapes, openPrivateKey } from "./token-shapes.ts";

export interface Redacted {
  readonly text: string;
  /** Places that were hidden. */
  readonly count: number;
}

/** Redacts a text that arrives in pieces; a secret that is split over pieces is found. */
export interface RedactedStream {
  /** Gives what can be shown by now: whole lines, but for lines that are very long. */
  write(piece: string): string;
  /** Gives the rest. */
  end(): string;
  readonly count: number;
}

export interface Redactor {
  redact(text: string): Redacted;
  stream(): RedactedStream;
  /** For what is no text: finds the secrets in it, that is all. */
  searchBytes(): SecretSearch;
  /** Places hidden so far by this redactor, its streams included. */
  readonly total: number;
}

const mask = "***";
/** What a stream holds back at least of a very long line; a secret of a known shape may be that long. */
const maxHeldLine = 16 * 1024;
const maxHeldKey = 17 * 1024;

/** Makes a redactor for these secrets. Values of fewer than six characters are left alone: hiding them would shred any text. */
export function createRedactor(secrets: Iterable<string>): Redactor {
  const forms = [...new Set([...secrets].flatMap(secretForms))];
  const search = createNeedleSearch(forms);
  let searchBytes: (() => SecretSearch) | undefined;
  let total = 0;

  const redact = (text: string, places = findPlaces(text, search)): Redacted => {
    total += places.length;
    return { text: hide(text, places), count: places.length };
  };

  return {
    redact: (text) => redact(text),
    stream: () => redactStream(forms, search, redact),
    searchBytes() {
      searchBytes ??= createSecretSearch(forms);
      return searchBytes();
    },
    get total() {
      return total;
    },
  };
}

type Place = readonly [start: number, end: number];

/** All places, those that overlap merged, so that no end of one secret stays behind another. */
function findPlaces(text: string, search: NeedleSearch): Place[] {
  const found: Place[] = [...findTokenShapes(text), ...search(text)];
  found.sort((a, b) => a[0] - b[0]);
  const merged: Place[] = [];
  for (const place of found) {
    const last = merged.at(-1);
    if (last !== undefined && place[0] < last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], place[1])];
    else merged.push(place);
  }
  return merged;
}

function hide(text: string, places: readonly Place[]): string {
  let shown = "";
  let from = 0;
  for (const [start, end] of places) {
    shown += text.slice(from, start) + mask;
    from = end;
  }
  return shown + text.slice(from);
}

/** Where the beginning of a form at the very end of the text starts, or the text's length. */
function startOfUnfinished(text: string, forms: readonly string[]): number {
  let start = text.length;
  for (const form of forms) {
    const head = form.slice(0, 1);
    for (let at = text.indexOf(head, Math.max(0, text.length - form.length + 1)); at >= 0 && at < start; at = text.indexOf(head, at + 1)) {
      if (form.startsWith(text.slice(at))) start = at;
    }
  }
  return start;
}

function redactStream(
  forms: readonly string[],
  search: NeedleSearch,
  redact: (text: string, places?: Place[]) => Redacted,
): RedactedStream {
  let held = "";
  let count = 0;

  const release = (upTo: number, places?: Place[]): string => {
    const { text, count: hidden } = redact(held.slice(0, upTo), places);
    held = held.slice(upTo);
    count += hidden;
    return text;
  };

  /** The furthest place up to which nothing can still become a secret: an end of line, but for very long lines. */
  const safeEnd = (places: readonly Place[]): number => {
    const lineStart = (at: number): number => (at <= 0 ? 0 : held.lastIndexOf("\n", at - 1) + 1);
    let end = lineStart(Math.min(startOfUnfinished(held, forms), openPrivateKey(held, maxHeldKey)));
    // A cut must not go through a place: its two halves would each be shown. Nor through a line: what stands before a
    // secret can be what tells that it is one.
    for (;;) {
      const crossed = places.find(([start, stop]) => start < end && end < stop);
      if (crossed === undefined) break;
      end = lineStart(crossed[0]);
    }
    if (held.length - end <= maxHeldLine * 2) return end;
    const forced = held.length - maxHeldLine;
    return places.find(([start, stop]) => start < forced && forced < stop)?.[1] ?? forced;
  };

  return {
    write(piece) {
      held += piece;
      if (!piece.includes("\n") && held.length <= 2 * maxHeldLine) return "";
      const places = findPlaces(held, search);
      const end = safeEnd(places);
      return release(
        end,
        places.filter(([, stop]) => stop <= end),
      );
    },
    end: () => release(held.length),
    get count() {
      return count;
    },
  };
}
