import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { type ContractCase, exitCodeOf, out, sh, textOf, until } from "./contract.ts";

/** Whether a process with this text in its arguments runs: asked from inside, the asking shell aside. */
async function runs(sandbox: Sandbox, text: string): Promise<boolean> {
  const [head, tail] = [text.slice(0, 1), text.slice(1)];
  const line = `for f in /proc/[0-9]*/cmdline; do tr '\\000' ' ' <"$f"; echo; done 2>/dev/null | grep -q '[${head}]${tail}'`;
  return exitCodeOf(await sh(sandbox, line)) === 0;
}

/** A `sleep` that no other run of these tests has. */
const nap = (number: number): string => `sleep ${number}.${process.pid}`;

/** How commands end, and what becomes of processes that they leave behind. */
export const processCases: readonly ContractCase[] = [
  {
    name: "maps an end by signal to 128 + n and says when SIGKILL came from elsewhere",
    run: async ({ sandbox }) => {
      assert.equal(exitCodeOf(await sh(sandbox, "kill -TERM $$; sleep 5")), 143);
      const killed = await sh(sandbox, "echo before; kill -KILL $$; sleep 5");
      assert.equal(exitCodeOf(killed), 137);
      assert.equal(killed.kind === "exited" && killed.killedBy, "unknown");
      assert.equal(killed.output.stdout, "before\n");
    },
  },
  {
    name: "ends a command that runs out of time and keeps what it had written",
    run: async ({ sandbox }) => {
      const result = await sh(sandbox, `echo begun; ${nap(3001)}`, { timeoutMs: 500 });
      assert.equal(result.kind, "timed out");
      assert.equal(result.kind === "timed out" && result.afterMs, 500);
      assert.ok(result.durationMs >= 500);
      assert.equal(result.output.stdout, "begun\n");
      assert.equal(await runs(sandbox, nap(3001)), false);
    },
  },
  {
    name: "lets a command clean up between SIGTERM and SIGKILL",
    run: async ({ sandbox, dir }) => {
      const line = `trap 'echo saved >result; exit 3' TERM; ${nap(3002)} & wait $!`;
      assert.equal((await sh(sandbox, line, { timeoutMs: 500, cwd: dir })).kind, "timed out");
      assert.equal(await textOf(sandbox, `${dir}/result`), "saved\n");
    },
  },
  {
    name: "kills a tree that ignores SIGTERM",
    run: async ({ sandbox }) => {
      const line = `trap '' TERM HUP INT; (${nap(3003)} & ${nap(3004)} & wait) & while :; do ${nap(3005)}; done`;
      assert.equal((await sh(sandbox, line, { timeoutMs: 500 })).kind, "timed out");
      for (const name of [nap(3003), nap(3004), nap(3005)]) assert.equal(await runs(sandbox, name), false, name);
    },
  },
  {
    name: "gives the result when the command has ended, though a child in the background holds its output open",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      const result = await sh(sandbox, `(${nap(3006)}; echo late) & echo now; echo also >&2`);
      assert.deepEqual([exitCodeOf(result), result.output.stdout, result.output.stderr], [0, "now\n", "also\n"]);
      assert.ok(result.durationMs < 20_000);
    },
  },
  {
    name: "leaves a server in the background running, also one that goes on writing, until quiesce",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      await sh(sandbox, "(while :; do echo tick; echo tick >>ticks; sleep 0.05; done) & echo started");
      await until("the server still writes", async () => (await textOf(sandbox, "ticks").catch(() => "")).length > 25);
      const { killed } = await sandbox.quiesce(new AbortController().signal);
      assert.ok(killed >= 1);
      const before = await textOf(sandbox, "ticks");
      await delay(300);
      assert.equal(await textOf(sandbox, "ticks"), before);
    },
  },
  {
    name: "quiesce kills who left the process group, and finds nobody the second time",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      const { signal } = new AbortController();
      assert.equal((await sandbox.quiesce(signal)).killed, 0);
      await sh(sandbox, `setsid ${nap(3007)} >/dev/null 2>&1 & (trap '' TERM HUP; ${nap(3008)}) >/dev/null 2>&1 & sleep 0.2`);
      assert.equal(await runs(sandbox, nap(3007)), true);
      assert.ok((await sandbox.quiesce(signal)).killed >= 2);
      assert.equal(await runs(sandbox, nap(3007)), false);
      assert.equal(await runs(sandbox, nap(3008)), false);
      assert.equal((await sandbox.quiesce(signal)).killed, 0);
      assert.equal(await out(sandbox, "echo usable"), "usable\n");
    },
  },
  {
    name: "quiesce ends a process that cleaned its environment and left its session",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      await sh(sandbox, `env -i "PATH=$PATH" setsid ${nap(3009)} >/dev/null 2>&1 & sleep 0.2`);
      assert.equal(await runs(sandbox, nap(3009)), true);
      assert.ok((await sandbox.quiesce(new AbortController().signal)).killed >= 1);
      assert.equal(await runs(sandbox, nap(3009)), false);
    },
  },
  {
    name: "an abort rejects with the signal's reason and ends the command",
    run: async ({ sandbox }) => {
      const abort = new AbortController();
      const reason = new Error("cancelled by the user");
      const running = sh(sandbox, `echo up; ${nap(3010)}`, { signal: abort.signal, onOutput: () => abort.abort(reason) });
      await assert.rejects(running, (error) => error === reason);
      await until("the command is dead", async () => !(await runs(sandbox, nap(3010))));
    },
  },
  {
    name: "does not run a command under a signal that is aborted already",
    run: async ({ sandbox, dir }) => {
      const reason = new Error("too late");
      await assert.rejects(sh(sandbox, "echo ran >ran", { cwd: dir, signal: AbortSignal.abort(reason) }), (error) => error === reason);
      assert.equal(await sandbox.kindOf(`${dir}/ran`), "missing");
    },
  },
  {
    name: "has not run out of memory when nothing did",
    run: async ({ sandbox }) => {
      assert.equal(await sandbox.wasOutOfMemory(), false);
    },
  },
  {
    name: "survives a task that removes its own directory",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      await sh(sandbox, `rm -rf "$PWD"`);
      assert.equal(await sandbox.kindOf("x"), "missing");
      assert.deepEqual(await sandbox.glob("*"), []);
      assert.deepEqual(await sandbox.readFile("x", 10), { kind: "missing" });
    },
  },
  {
    name: "stops twice without complaint, and then every use is a lost sandbox",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      await Promise.all([sandbox.stop(), sandbox.stop()]);
      await sandbox.stop();
      const lost = { name: "SandboxLostError", code: "sandbox-lost" };
      await assert.rejects(sh(sandbox, "true"), lost);
      await assert.rejects(sandbox.readFile("x", 10), lost);
      await assert.rejects(sandbox.quiesce(new AbortController().signal), lost);
    },
  },
  {
    name: "a stop under a running command loses it",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      const running = assert.rejects(sh(sandbox, `echo up; ${nap(3011)}`, { onOutput: () => void sandbox.stop() }), {
        code: "sandbox-lost",
      });
      await running;
    },
  },
];
