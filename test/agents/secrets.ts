import { execFileSync } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { labelNames } from "../../src/sandbox/docker/labels.ts";

const inspected = z.array(z.object({ Config: z.object({ Env: z.array(z.string()) }) }));

/** Command lines of processes on this machine, those in its containers among them, in which a text stands. */
export function commandLinesWith(text: string): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => read(`/proc/${pid}/cmdline`))
    .filter((line) => line.includes(text))
    .map((line) => line.replaceAll("\0", " ").slice(0, 300));
}

/** Environment of the containers of a row as the engine has it, one entry each. */
export function containerEnv(row: string): string[] {
  const filter = `label=${labelNames.task}=${row}`;
  const ids = docker(["ps", "-q", "--filter", filter]).split("\n").filter(Boolean);
  if (ids.length === 0) return [];
  return inspected.parse(JSON.parse(docker(["inspect", ...ids]))).flatMap(({ Config }) => Config.Env);
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
