import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import test from "node:test";
import { z } from "zod";
import { hostileCases } from "./hostile-cases.ts";

const rowSchema = z.object({
  name: z.string(),
  tasks: z.number(),
  count: z.number(),
  errors: z.array(z.object({ code: z.string(), line: z.number().optional(), message: z.string() })),
  longest: z.number(),
  shown: z.number(),
  polluted: z.boolean(),
});
type Row = z.infer<typeof rowSchema>;

const heapMegabytes = 256;
/** Each takes a second or two at most, and on a busy machine ten: this is for what never ends. */
const patienceMs = 60_000;

/** Plans all of them in one process with a small heap, so that what one leaves behind counts too. */
async function planAll(): Promise<{ readonly rows: ReadonlyMap<string, Row>; readonly end: string }> {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-hostile-"));
  const child = spawn(process.execPath, [`--max-old-space-size=${heapMegabytes}`, join(import.meta.dirname, "hostile-child.ts"), dir], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-2000);
  });
  const closed = new Promise<string>((resolve) => {
    child.on("close", (code, signal) => resolve(code === 0 ? "done" : `exit ${code ?? signal}: ${stderr}`));
  });
  const rows = new Map<string, Row>();
  let begun = "";
  let watch = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  for await (const line of createInterface(child.stdout)) {
    clearTimeout(watch);
    watch = setTimeout(() => child.kill("SIGKILL"), patienceMs);
    const read: unknown = JSON.parse(line);
    const row = rowSchema.safeParse(read);
    if (row.success) rows.set(row.data.name, row.data);
    else begun = z.object({ begun: z.string() }).parse(read).begun;
  }
  clearTimeout(watch);
  const end = await closed;
  await rm(dir, { recursive: true, force: true });
  return { rows, end: end === "done" ? end : `${begun}: ${end}` };
}

test("every hostile text is read safely or refused with a clear problem, in bounded time and memory", async (t) => {
  const { rows, end } = await planAll();
  assert.equal(end, "done");
  assert.equal(new Set(hostileCases.map(({ name }) => name)).size, hostileCases.length, "two cases have one name");
  for (const { name, ends } of hostileCases) {
    await t.test(name, () => {
      const row = rows.get(name);
      assert.ok(row);
      assert.equal(row.tasks > 0 ? "read" : row.errors[0]?.code, ends);
      for (const { code, line } of row.errors) if (code !== "file-too-large") assert.ok((line ?? 0) > 0, `${code} names no line`);
      assert.ok(row.count <= 150, `${row.count} problems`);
      assert.ok(row.longest <= 500, `a text of ${row.longest} characters`);
      assert.ok(row.shown <= 60_000, `${row.shown} characters for people`);
      assert.equal(row.polluted, false);
    });
  }
});
