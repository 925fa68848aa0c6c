import { EnvironmentError } from "../errors.ts";
import { visibleText } from "../untrusted/characters.ts";
import type { NpmEnd } from "./npm.ts";

interface Explanation {
  readonly pattern: RegExp;
  readonly code: string;
  readonly what: string;
  readonly hint: string;
}

const offline =
  "look at the network and at npm's registry settings (npm config get registry, npm ping); for a machine without a network see docs/kits.md";

// By what npm prints, since it ends with 1 for most of these.
const explanations: readonly Explanation[] = [
  {
    pattern: /\bENOSPC\b|no space left on device|\bEDQUOT\b|disk quota exceeded/i,
    code: "disk-full",
    what: "no space left",
    hint: "free disk space, or set EVALBATCH_KITS_DIR to a directory on another disk",
  },
  {
    pattern: /\bEINTEGRITY\b|integrity checksum failed/i,
    code: "kit-integrity",
    what: "what the registry sent is not what was published",
    hint: "a registry mirror or a proxy changes packages; clean npm's cache (npm cache clean --force), or use another registry",
  },
  {
    pattern: /\bE404\b|\bETARGET\b|No matching version/i,
    code: "kit-not-found",
    what: "the registry has no such package or version",
    hint: "look at agent-version, and whether the registry (npm config get registry) mirrors everything",
  },
  {
    pattern: /\bE40[13]\b|\bENEEDAUTH\b|\bEOTP\b/,
    code: "kit-registry",
    what: "the registry refused",
    hint: "look at the credentials of the registry in .npmrc or in the variables that it names",
  },
  {
    pattern:
      /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|ENOTCACHED|EIDLETIMEOUT)\b|\bE5\d\d\b|network|socket hang up/,
    code: "kit-registry",
    what: "the registry is out of reach",
    hint: offline,
  },
  {
    pattern: /CERT_|UNABLE_TO_(?:VERIFY|GET)|self[- ]signed certificate/i,
    code: "kit-registry",
    what: "the registry's certificate is not trusted",
    hint: "set NODE_EXTRA_CA_CERTS or npm's cafile to the certificate of your proxy",
  },
  {
    pattern: /\bE(?:ACCES|PERM|ROFS)\b/,
    code: "cannot-write",
    what: "npm may not write",
    hint: "look at the owner of the kits' directory",
  },
];

/** What a failed npm means, with the remedy. `what` it was to do, e.g. `fetch codex 0.171.0`. */
export function npmFailure(what: string, end: NpmEnd): EnvironmentError {
  if (end.timedOut) return new EnvironmentError("kit-registry", `could not ${what}: npm did not come to an end`, { hint: offline });
  const lines = errorLines(end.stderr);
  // Only what it calls an error: warnings name codes of attempts that went well later.
  const text = lines.join("\n");
  const found = explanations.find(({ pattern }) => pattern.test(text));
  const said = lines.filter((line) => !/^(?:code|errno|syscall) |A complete log of this run|^$/.test(line));
  const words = visibleText((said[0] ?? lines[0] ?? `npm ended with ${end.code ?? "a signal"}`).slice(0, 300));
  return new EnvironmentError(found?.code ?? "kit-fetch", `could not ${what}: ${found === undefined ? "" : `${found.what}: `}${words}`, {
    hint: found?.hint ?? "this is what npm said",
  });
}

/** What npm calls an error, without its mark; of a failed optional package what it says of it in passing. */
export function errorLines(stderr: string): string[] {
  return stderr
    .split(/\r?\n/)
    .flatMap((line) => /^npm (?:error|ERR!)\s?(.*)$/.exec(line)?.[1] ?? [])
    .map((line) => line.trim());
}
