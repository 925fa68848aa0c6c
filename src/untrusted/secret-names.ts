/** Parts of names, and whole words in them, of variables whose values are taken for secrets. */
const secretPart = /KEY|TOKEN|SECRET|PASSW|PASSPHRASE|CREDENTIAL/i;
const secretWord = /(?:^|[_.-])(?:PASS|PAT|AUTH|DSN|JWT|SAS|COOKIE|BEARER|WEBHOOK)(?:$|[_.-])/i;

/** Whether a variable's value must not stand in any file or line, going by its name. */
export function looksSecret(name: string): boolean {
  return secretPart.test(name) || secretWord.test(name);
}
