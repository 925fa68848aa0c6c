/** Names of variables whose values are taken for secrets. */
const secretName = /KEY|TOKEN|SECRET|PASSW|CREDENTIAL/i;

/** Whether a variable's value must not stand in any file or line, going by its name. */
export function looksSecret(name: string): boolean {
  return secretName.test(name);
}
