// Values that are no secrets whatever their variable is called: hiding them would shred every text and protect nothing.

/** Words, in one case each: `production`, `read-only`, `service_account`. A secret of such letters alone is longer. */
const words = /^(?=.{1,16}$)(?:\p{Lu}?\p{Ll}+|\p{Lu}+)(?:[ ._-](?:\p{Lu}?\p{Ll}+|\p{Lu}+))*$/u;
/** Numbers, dates, versions, lists of them. */
const numbers = /^[\d.,:+ /-]{1,12}$/;
/** Places where systems keep files. A leading `/` alone says nothing: base64 may begin with it. */
const paths =
  /^(?:~|\.{1,2})[\\/]|^[A-Za-z]:[\\/]|^\/(?:home|root|tmp|usr|var|etc|opt|run|mnt|srv|dev|proc|bin|lib|app|data|github|__w|workspaces?|Users|private|Applications|Library)(?:\/|$)/;

/** Whether a value is nothing but words, as a weak password is. */
export function isPlainWords(value: string): boolean {
  return words.test(value.trim());
}

/** Whether a value is evidently a word, a number, a path or an address without credentials. */
export function isPlainValue(value: string): boolean {
  const text = value.trim();
  return isPlainWords(text) || numbers.test(text) || (paths.test(text) && !/\s/.test(text)) || isPlainAddress(text);
}

/** An address without a user or a query: those hold tokens and signatures. */
function isPlainAddress(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(text) || !URL.canParse(text)) return false;
  const { username, password, search, hash } = new URL(text);
  return `${username}${password}${search}${hash}` === "" && longestPart(text) < 32;
}

/** Addresses of webhooks carry their secret as a part of the path. */
function longestPart(text: string): number {
  return Math.max(...text.split("/").map((part) => part.length));
}
