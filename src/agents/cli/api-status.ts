/** The HTTP status of an error that a message speaks of: a number from 400 to 599 that stands alone, after a word that makes it one. */
export function statusIn(message: string): number | undefined {
  const match = /(?:status(?: code)?:?|error:?|rejected|http)\s*\(?(?<status>[45]\d\d)\b/i.exec(message);
  const status = match?.groups?.status;
  return status === undefined ? undefined : Number(status);
}
