import { isPlainValue } from "../untrusted/plain-value.ts";
import { minSecretLength } from "../untrusted/secret-forms.ts";
import { looksSecret } from "../untrusted/secret-names.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Say where a secret is or what it is like, and are no secrets. Inputs of ours with a telling name belong here too. */
const aboutSecrets =
  /[_-](?:NAME|PATH|FILE|DIR|SOCK|TYPE|ALGORITHM|VERSION|TTL|LIMIT|COUNT|PREFIX|REGION)$|^INPUT_COMMENT[_-]KEY$|^SSH_AUTH_/i;
/** What the runner and the login tell about themselves; a value that stands there is known to everyone. */
const publicName = /^(?:GITHUB_|RUNNER_|(?:HOME|USER|USERNAME|LOGNAME|HOSTNAME|PWD|OLDPWD|SHELL|LANG|TERM)$)/i;

/**
 * Values of this process's own environment that look secret by their name, though no task was given them: should one
 * reach a result all the same (a mount, an image, the engine's own words), it is hidden there.
 *
 * Left out, since hiding them would make results unreadable: values of fewer than six characters; words, numbers, paths
 * and plain addresses; names that only tell about a secret (`…_FILE`, `…_NAME`); what a public variable also says.
 */
export function hostSecrets(env: Env): string[] {
  const isKnown = publicValues(env);
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || !looksSecret(name) || aboutSecrets.test(name)) continue;
    if (value.trim().length < minSecretLength || isPlainValue(value) || isKnown.has(value.trim())) continue;
    secrets.add(value);
  }
  return [...secrets];
}

function publicValues(env: Env): ReadonlySet<string> {
  const known = Object.entries(env).filter(([name]) => publicName.test(name) && !looksSecret(name));
  return new Set(known.flatMap(([, value]) => (value === undefined || value.trim() === "" ? [] : [value.trim()])));
}
