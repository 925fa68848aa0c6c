import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";
import type { BareEngine } from "./bare-engine.ts";

export const benchImage = "evalbatch-bench:1";

/** The main process of the floor's containers, like that of a task: it waits and reaps. */
const idle = ["/bin/sh", "-c", "while :; do sleep 60 & wait $!; done"];

/** A small image with a shell, from Debian's busybox-static; a reason where that is not possible. */
export function ensureBenchImage(): string | undefined {
  if (spawnSync("docker", ["version"], { stdio: "ignore", timeout: 20_000 }).status !== 0) return "no Docker engine answers";
  if (spawnSync("docker", ["image", "inspect", benchImage], { stdio: "ignore" }).status === 0) return undefined;
  const dir = mkdtempSync(join(tmpdir(), "evalbatch-bench-image-"));
  try {
    copyFileSync("/bin/busybox", join(dir, "busybox"));
    const lines = ["FROM scratch", "COPY busybox /bin/busybox", 'RUN ["/bin/busybox", "--install", "-s", "/bin"]', "WORKDIR /root"];
    writeFileSync(join(dir, "Dockerfile"), `${lines.join("\n")}\n`);
    const built = spawnSync("docker", ["build", "-q", "-t", benchImage, dir], { encoding: "utf8" });
    return built.status === 0 ? undefined : `cannot build ${benchImage}: ${built.stderr.trim()}`;
  } catch (error) {
    return `cannot build ${benchImage}: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

const created = z.looseObject({ Id: z.string() });
const ended = z.looseObject({ ExitCode: z.number() });

/** What the engine needs for a task at the least: create, start, one exec read to its end, remove. */
export async function floorContainer(engine: BareEngine): Promise<void> {
  const body = { Image: benchImage, Cmd: idle, Labels: { "evalbatch-bench": "floor" } };
  const { Id: container } = created.parse(JSON.parse(await engine.call("POST", "/containers/create", body)));
  try {
    await engine.call("POST", `/containers/${container}/start`);
    const command = { Cmd: ["/bin/sh", "-c", "true"], AttachStdout: true, AttachStderr: true };
    const { Id: exec } = created.parse(JSON.parse(await engine.call("POST", `/containers/${container}/exec`, command)));
    await engine.call("POST", `/exec/${exec}/start`, { Detach: false, Tty: false });
    const { ExitCode } = ended.parse(JSON.parse(await engine.call("GET", `/exec/${exec}/json`)));
    if (ExitCode !== 0) throw new Error(`the floor's command ended with exit code ${ExitCode}`);
  } finally {
    await engine.call("DELETE", `/containers/${container}?force=1&v=1`);
  }
}

/** Calls `work` `count` times, `concurrency` at once. */
export async function inParallel(count: number, concurrency: number, work: () => Promise<void>): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const startEvent = z.looseObject({ from: z.string() });

/** Resolves at the next start of a container of this image, which may be told by its name or its id. */
async function nextStart(events: NodeJS.ReadableStream, names: readonly string[]): Promise<void> {
  for await (const line of createInterface({ input: events })) {
    if (names.includes(startEvent.parse(JSON.parse(line)).from)) return;
  }
}

/** Seconds from the start of a program to the start of the first container of the bench image; the program runs to its end. */
export async function secondsToFirstContainer(engine: BareEngine, argv: readonly string[]): Promise<number> {
  const { Id } = created.parse(JSON.parse(await engine.call("GET", `/images/${benchImage}/json`)));
  const filters = encodeURIComponent(JSON.stringify({ type: ["container"], event: ["start"] }));
  const events = await engine.open("GET", `/events?filters=${filters}`);
  const seen = nextStart(events, [benchImage, Id]);
  try {
    const start = process.hrtime.bigint();
    const child = spawn(process.execPath, argv, { stdio: ["ignore", "ignore", "pipe"] });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-2000);
    });
    const closed = once(child, "close").then(([code]) => ({ code }));
    const first = await Promise.race([seen, closed]);
    const seconds = Number(process.hrtime.bigint() - start) / 1e9;
    if (first !== undefined) throw new Error(`the program ended with exit code ${first.code} before it started a container:\n${errors}`);
    await closed;
    return seconds;
  } finally {
    events.destroy();
    // Either it was seen, or the connection that was just closed is all that went wrong.
    await seen.catch(() => undefined);
  }
}
