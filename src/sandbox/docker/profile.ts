import { EnvironmentError } from "../../errors.ts";
import { type ContainerRef, firstHeader, readLink, readSmallFile, statPath } from "./archive.ts";
import type { ImageFacts } from "./responses.ts";
import { resolveUser, type SandboxUser } from "./users.ts";

/** A directory that a container needs and its image lacks. `path` is absolute. */
export interface NeededDirectory {
  readonly path: string;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** What is the same for all containers of one image with one working directory. */
export interface ImageProfile {
  readonly user: SandboxUser;
  /** The real path, links of the image followed. */
  readonly workDir: string;
  /** Set when the image's own would be missing or not writable. */
  readonly home: string | undefined;
  readonly needed: readonly NeededDirectory[];
  /** The working directory came empty with the container, so that nothing of the image's lies in it. */
  readonly freshWorkDir: boolean;
}

const maxPasswdBytes = 1024 ** 2;
const ownHome = "/home/evalbatch";

/**
 * Looks into a created container of the image: who its user is, and which directories must be made so that this user can work.
 * Asked once per image; nothing inside is run.
 * @throws EnvironmentError `image-user` when the image names a user that it does not have
 */
export async function inspectProfile(container: ContainerRef, image: ImageFacts, workDir: string): Promise<ImageProfile> {
  const read = (path: string) => readSmallFile(container, path, maxPasswdBytes);
  const spec = image.Config?.User ?? "";
  const [passwd = "", group = "", temp, realWorkDir] = await Promise.all([
    read("/etc/passwd"),
    spec.includes(":") ? read("/etc/group") : "",
    statPath(container, "/tmp"),
    realDirectory(container, workDir),
  ]);
  const user = resolveUser(spec, passwd, group);
  if (user === undefined) {
    throw new EnvironmentError("image-user", `the image's USER '${spec}' has no line in its /etc/passwd or /etc/group`, {
      hint: "name an existing user or a number in the Dockerfile",
    });
  }
  const needed: NeededDirectory[] = [];
  if (temp === undefined) needed.push({ path: "/tmp", mode: 0o1777, uid: 0, gid: 0 });
  const own = (path: string, mode: number) => needed.push({ path, mode, uid: user.uid, gid: user.gid });
  const work = await writableBy(container, realWorkDir, user);
  if (!work.writable) own(realWorkDir, work.mode);

  const imageHome = image.Config?.Env?.find((line) => line.startsWith("HOME="))?.slice("HOME=".length);
  const home = imageHome ?? user.home ?? "/";
  const usable = home !== "/" && home.startsWith("/") && (await isUsableHome(container, home, user));
  const replacement = usable ? undefined : user.uid === 0 ? "/root" : ownHome;
  if (replacement !== undefined) own(replacement, 0o700);
  return { user, workDir: realWorkDir, home: replacement, needed, freshWorkDir: workDir === "/work" && realWorkDir === "/work" };
}

async function isUsableHome(container: ContainerRef, home: string, user: SandboxUser): Promise<boolean> {
  const stat = await statPath(container, home);
  if (stat === undefined || stat.kind === "file" || stat.kind === "other") return false;
  // A link (macOS-like images, NixOS): leave it to the image.
  return stat.kind === "link" || (await writableBy(container, home, user)).writable;
}

async function writableBy(container: ContainerRef, path: string, user: SandboxUser) {
  if (user.uid === 0) return { writable: true, mode: 0o755 };
  const header = await firstHeader(container, path);
  const mode = header?.mode ?? 0;
  const writable =
    (header?.uid === user.uid && (mode & 0o200) !== 0) || (header?.gid === user.gid && (mode & 0o020) !== 0) || (mode & 0o002) !== 0;
  return { writable, mode: mode | 0o700 };
}

/** Follows links of the image to the directory that is meant; the engine has made it if it was missing. */
async function realDirectory(container: ContainerRef, path: string): Promise<string> {
  let here = "";
  let todo = path.split("/").filter((part) => part !== "");
  for (let links = 0; todo.length > 0 && links <= 40; ) {
    const [part = "", ...rest] = todo;
    todo = rest;
    if (part === "." || part === "") continue;
    if (part === "..") {
      here = here.slice(0, Math.max(0, here.lastIndexOf("/")));
      continue;
    }
    const next = `${here}/${part}`;
    const stat = await statPath(container, next);
    if (stat?.kind !== "link") {
      here = next;
      continue;
    }
    links += 1;
    const target = (await readLink(container, next)) ?? "";
    if (target.startsWith("/")) here = "";
    todo = [...target.split("/"), ...todo];
  }
  return here === "" ? "/" : here;
}
