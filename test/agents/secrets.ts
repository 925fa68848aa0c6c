import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { labelNames } from "../../src/sandbox/docker/labels.ts";

const inspected = z.array(z.object({ Config: z.object({ Env: z.array(z.string()).nullish() }) }));

/** Command lines of processes on this machine, those in its containers among them, in which a text stands. */
export function commandLinesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/cmdline`))
    .filter((line) => line.includes(text))
    .map((line) => line.replaceAll("\0", " ").slice(0, 300));
}

/** Environment of the container of a row as the engine has it; undefined where there is no container. */
export function containerEnv(row: string): readonly string[] | undefined {
  const filter = `label=${labelNames.task}=${row}`;
  const ids = docker(["ps", "-q", "--filter", filter]).split("\n").filter(Boolean);
  if (ids.length === 0) return undefined;
  return inspected.parse(JSON.parse(docker(["inspect", ...ids]))).flatMap(({ Config }) => Config.Env ?? []);
}

/** Files below a directory in which a text stands, by path or by content. */
export function filesWith(directory: string, text: string): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => {
    if (path.includes(text)) return true;
    const full = join(directory, path);
    return lstatSync(full).isFile() && readFileSync(full).includes(text);
  });
}

function docker(args: readonly string[]): string {
  return execFileSync("docker", args, { encoding: "utf8" });
}

/** A process may be gone by now. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
