import { createHash } from "node:crypto";
import { posix } from "node:path";
import { SandboxLostError } from "../../errors.ts";
import { linkTargetOf } from "../tar-reader.ts";
import { type ContainerRef, readArchive } from "./archive.ts";
import type { TaskContainer } from "./container.ts";
import { hasStatus } from "./engine-error.ts";

/** What every command of ours runs (`exec-script.ts`), and what would be loaded into it. A missing one must stay missing. */
const programs = ["/bin/sh", "/usr/bin/sleep", "/bin/sleep", "/etc/ld.so.preload"];
const maxLinks = 20;
const maxProgramBytes = 64 * 1024 ** 2;

/** What stands at the place of each program: its content's digest, or why there is none. */
export type ProgramDigests = readonly string[];

/** Reads the programs by the engine, so that nothing inside is run or trusted; size and times are an agent's to choose, so content it is. */
export async function digestPrograms(container: ContainerRef): Promise<ProgramDigests> {
  return await Promise.all(programs.map((path) => digestOf(container, path)));
}

/** @throws SandboxLostError when the container's programs are not the image's: what they say about a task is the agent's word */
export async function assertOwnPrograms(container: TaskContainer, ofImage: ProgramDigests): Promise<void> {
  const found = await digestPrograms(container);
  const changed = programs.filter((_path, index) => found[index] !== ofImage[index]);
  if (changed.length === 0) return;
  throw new SandboxLostError(
    `the shell or sleep of the container of ${container.key} was replaced (${changed.join(", ")}) and processes were left or killed: it cannot be graded`,
    { hint: "if the task's own set-up replaces them, do it in the image instead" },
  );
}

async function digestOf(container: ContainerRef, path: string): Promise<string> {
  let here = path;
  try {
    for (let links = 0; links <= maxLinks; links += 1) {
      const step = await readStep(container, here);
      if (step.kind === "end") return step.digest;
      here = posix.resolve(posix.dirname(here), step.target);
    }
    return "a loop of links";
  } catch (error) {
    // 400: a part on the way is no directory. 500: a loop of links.
    if (hasStatus(error, 404, 400, 500)) return "missing";
    throw error;
  }
}

type Step = { readonly kind: "link"; readonly target: string } | { readonly kind: "end"; readonly digest: string };

async function readStep(container: ContainerRef, path: string): Promise<Step> {
  for await (const { header, content } of readArchive(container, path)) {
    if (header.type === "symlink") return { kind: "link", target: linkTargetOf(header) };
    if (header.type !== "file") return { kind: "end", digest: header.type ?? "other" };
    if (header.size > maxProgramBytes) return { kind: "end", digest: "too large" };
    const hash = createHash("sha256");
    for await (const chunk of content) hash.update(chunk);
    return { kind: "end", digest: hash.digest("hex") };
  }
  return { kind: "end", digest: "missing" };
}
