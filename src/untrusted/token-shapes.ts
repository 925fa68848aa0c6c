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
  /(?<![A-Za-z0-9])eyJ[\w-]{8,4096}\.eyJ[\w-]{8,8192}\.[\w-]{16,4096}/g,
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----[\s\S]{1,16384}?-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----/g,
];

/** The secret is only a part of these; the group before it stays readable. */
const partShapes: readonly RegExp[] = [
  /(?<=authorization["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer|basic|token)\s{1,4})[\w.~+/=-]{8,4096}/gi,
  /(?<=x-api-key["']?\s{0,4}[:=]\s{0,4}["']?)[\w.~+/=-]{8,4096}/gi,
  // user:password@ in an address, also a long user name alone: that is how a token for git is given
  /(?<=\b[a-z][a-z0-9+.-]{1,20}:\/\/)(?:[^\s/?#:@"'<>]{0,256}:[^\s/?#@"'<>]{1,1024}|[^\s/?#:@"'<>]{20,256})(?=@)/gi,
];

/** Start of a private key whose end has not come yet. */
export const openPrivateKey =
  /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----(?![\s\S]*-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY-----)/;

/** Where the text has the shape of a secret: `[start, end)` each, unsorted, possibly overlapping. */
export function findTokenShapes(text: string): [number, number][] {
  const found: [number, number][] = [];
  for (const shape of [...tokenShapes, ...partShapes]) {
    for (const match of text.matchAll(shape)) {
      if (match[0] !== "***") found.push([match.index, match.index + match[0].length]);
    }
  }
  return found;
}
