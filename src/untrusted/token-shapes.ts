// Secrets that nobody told us of, known by their shape. A shape is here only if text that is no secret hardly has it.

const tokenShapes: readonly RegExp[] = [
  /(?<![A-Za-z0-9])gh[oprsu]_[A-Za-z0-9]{36,255}/g,
  /(?<![A-Za-z0-9])github_pat_[A-Za-z0-9_]{22,255}/g,
  /(?<![A-Za-z0-9])glpat-[\w-]{20,300}/g,
  /(?<![A-Za-z0-9])sk-(?:ant|proj|svcacct|or|admin)-[\w-]{20,300}/g,
  /(?<![A-Za-z0-9])sk-[A-Za-z0-9]{32,100}\b/g,
  /(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{16,255}/g,
  /(?<![A-Za-z0-9])xox[abeoprs]-[\w-]{10,300}/g,
  /(?<![A-Za-z0-9])https:\/\/hooks\.slack\.com\/services\/[\w/]{20,100}/g,
  /(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /(?<![A-Za-z0-9])AIza[\w-]{35}/g,
  /(?<![A-Za-z0-9])ya29\.[\w-]{20,2048}/g,
  /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}\b/g,
  /(?<![A-Za-z0-9])pypi-[\w-]{50,500}/g,
  /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,100}\b/g,
  /(?<![A-Za-z0-9])dckr_(?:pat|oat)_[\w-]{20,100}/g,
  /(?<![A-Za-z0-9])SG\.[\w-]{16,64}\.[\w-]{16,64}/g,
];

/**
 * The secret is only the group of these, what is around it stays readable. Each begins at a text that is rare, and none tries many ends for
 * many beginnings: who writes a log must not be able to keep us busy with it.
 */
const partShapes: readonly RegExp[] = [
  // A JSON web token, looked for from its middle: its beginning alone is found at every third character of a text made for that.
  /(?<=(?<![A-Za-z0-9])(eyJ[\w-]{8,4096}))\.eyJ[\w-]{8,8192}\.[\w-]{16,4096}/dg,
  /authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4}([\w.~+/=-]{8,4096})/dgi,
  /x-api-key["']?\s{0,4}[:=]\s{0,4}["']?([\w.~+/=-]{8,4096})/dgi,
  // user:password@ in an address, also a long user name alone: that is how a token for git is given
  /(?<=\b[a-z][a-z0-9+.-]{1,20}):\/\/([^\s/?#:@"'<>]{0,256}:[^\s/?#@"'<>]{1,1024}|[^\s/?#:@"'<>]{20,256})(?=@)/dgi,
];
/** Longer than what stands before the group of any of these: it may begin at the end of another one's group. */
const longestLead = 40;

const keyBegin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/g;
const keyEnd = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/g;
const maxKeyBody = 16_384;

/** Where a private key starts whose end has not come yet; the text's length when there is none in its last `within` characters. */
export function openPrivateKey(text: string, within: number): number {
  const from = Math.max(0, text.length - within);
  const tail = text.slice(from);
  const closed = [...tail.matchAll(keyEnd)].at(-1)?.index ?? 0;
  const open = [...tail.matchAll(keyBegin)].find(({ index }) => index >= closed);
  return open === undefined ? text.length : from + open.index;
}

/** Where the text has the shape of a secret: `[start, end)` each, unsorted, possibly overlapping. */
export function findTokenShapes(text: string): [number, number][] {
  const found = findPrivateKeys(text);
  for (const shape of tokenShapes) {
    for (const match of text.matchAll(shape)) found.push([match.index, match.index + match[0].length]);
  }
  for (const shape of partShapes) {
    shape.lastIndex = 0;
    for (let match = shape.exec(text); match !== null; match = shape.exec(text)) {
      const [start = 0, groupEnd = 0] = match.indices?.[1] ?? [];
      const end = Math.max(groupEnd, start < match.index ? match.index + match[0].length : 0);
      if (text.slice(start, end) !== "***") found.push([start, end]);
      shape.lastIndex = Math.max(match.index + 1, start, end - longestLead);
    }
  }
  return found;
}

/** One pass for all, as many as begin and never end. */
function findPrivateKeys(text: string): [number, number][] {
  const found: [number, number][] = [];
  const ends = text.includes("PRIVATE KEY-----") ? text.matchAll(keyEnd) : [].values();
  let end = ends.next();
  for (const begin of end.done === true ? [] : text.matchAll(keyBegin)) {
    const bodyStart = begin.index + begin[0].length;
    while (end.done !== true && end.value.index <= bodyStart) end = ends.next();
    if (end.done === true) break;
    if (end.value.index - bodyStart <= maxKeyBody) found.push([begin.index, end.value.index + end.value[0].length]);
  }
  return found;
}
