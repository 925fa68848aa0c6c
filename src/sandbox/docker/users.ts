/** A user as the kernel sees one. */
export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
  /** Home directory by `/etc/passwd`, if there is such a line. */
  readonly home: string | undefined;
}

/**
 * Reads an image's `USER` (`""`, name, uid, `user:group`, each by name or number) by the image's own `/etc/passwd` and `/etc/group`,
 * as the engine does: a bare uid without a line has group 0. `undefined` for a name that has no line.
 */
export function resolveUser(spec: string, passwd: string, group: string): SandboxUser | undefined {
  const [userText = "", groupText] = spec.trim().split(":");
  const wanted = userText === "" ? "0" : userText;
  const lines = passwd.split("\n").map((line) => line.split(":"));
  const numeric = parseId(wanted);
  const line =
    lines.find((fields) => fields[0] === wanted) ?? lines.find((fields) => numeric !== undefined && parseId(fields[2]) === numeric);
  const uid = numeric ?? parseId(line?.[2]);
  if (uid === undefined) return undefined;
  const gid = groupText === undefined || groupText === "" ? (parseId(line?.[3]) ?? 0) : resolveGroup(groupText, group);
  if (gid === undefined) return undefined;
  const home = line?.[5]?.trim();
  return { uid, gid, home: home === undefined || home === "" ? undefined : home };
}

function resolveGroup(text: string, group: string): number | undefined {
  const line = group.split("\n").find((one) => one.split(":")[0] === text);
  return parseId(text) ?? parseId(line?.split(":")[2]);
}

function parseId(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : undefined;
}
