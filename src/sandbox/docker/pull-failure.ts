/** What to do about a failed pull. */
export type PullFailure =
  | { readonly kind: "retry"; readonly why: string }
  | { readonly kind: "permanent"; readonly code: string; readonly hint: string };

interface Rule {
  readonly pattern: RegExp;
  readonly failure: PullFailure;
}

const permanent = (code: string, hint: string): PullFailure => ({ kind: "permanent", code, hint });

// The engine hands on the registry's sentence with status 404 or 500, or inside a 200 stream: words are all there is. Order matters: an
// engine says "denied" of a repository that does not exist, and "toomanyrequests" of one that would be allowed later.
const rules: readonly Rule[] = [
  { pattern: /toomanyrequests|too many requests|rate limit|\b429\b/i, failure: { kind: "retry", why: "the registry limits the rate" } },
  {
    pattern: /no matching manifest|does not match the specified platform|unsupported platform/i,
    failure: permanent(
      "image-architecture",
      "the image is not built for the engine's CPU architecture: build it for that, or name another",
    ),
  },
  {
    pattern: /unauthorized|authentication required|incorrect username or password|no basic auth credentials|\b401\b/i,
    failure: permanent(
      "image-unauthorized",
      "log in to the registry first (`docker login <registry>`, or docker/login-action in a workflow)",
    ),
  },
  {
    pattern: /pull access denied|requested access to the resource is denied|\b403\b|forbidden|denied:/i,
    failure: permanent(
      "image-denied",
      "check the image's name; if it is private, log in to its registry first (`docker login <registry>`)",
    ),
  },
  {
    pattern:
      /manifest unknown|manifest for .* not found|name unknown|repository .* not found|not found: (?:manifest|does not exist)|no such image|: not found$/i,
    failure: permanent("image-not-found", "check name and tag of the image, or build it on this machine before the run"),
  },
  {
    pattern: /invalid reference format|invalid repository name|repository name must be/i,
    failure: permanent("image-reference", "correct the image's name"),
  },
  {
    pattern: /no space left on device/i,
    failure: permanent("disk-full", "free disk space where Docker keeps its data (`docker system df`)"),
  },
  {
    pattern: /certificate|x509|server gave HTTP response to HTTPS client/i,
    failure: permanent("registry-tls", "let the engine trust the registry's certificate, or add it to `insecure-registries`"),
  },
];

/**
 * Decides about a failed pull by the engine's status (`undefined`: no answer at all) and words. What is not known to be permanent is tried
 * again: transport errors have as many wordings as there are networks.
 */
export function classifyPullFailure(status: number | undefined, message: string): PullFailure {
  const rule = rules.find(({ pattern }) => pattern.test(message));
  if (rule !== undefined) return rule.failure;
  if (status === 404) return permanent("image-not-found", "check name and tag of the image, or build it on this machine before the run");
  if (status === 400) return permanent("image-reference", "correct the image's name");
  return { kind: "retry", why: status === undefined ? "the connection failed" : "the registry or the way to it failed" };
}

/** Milliseconds before the next try, 1-based: 1, 2, 4, 8, 16 s, each shortened by up to a half so that tasks do not come back in step. */
export function pullBackoffMs(tries: number, random: number): number {
  return 1000 * 2 ** Math.min(tries - 1, 4) * (1 - random / 2);
}
