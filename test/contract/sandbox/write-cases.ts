import assert from "node:assert/strict";
import { chmod, lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { FileEntry } from "../../../src/sandbox/sandbox.ts";
import { type ContractCase, file, out, textOf } from "./contract.ts";
import { hostileNames } from "./read-cases.ts";

const { signal } = new AbortController();
const everything = { exclude: [], maxBytes: 1_000_000, signal };

/** Files into a sandbox and out of it. */
export const writeCases: readonly ContractCase[] = [
  {
    name: "puts files with their modes, their parents, empty directories and links",
    run: async ({ sandbox, dir }) => {
      const entries: FileEntry[] = [
        file("a/b/deep.txt", "deep\r\n"),
        file("run.sh", "#!/bin/sh\necho ran\n", 0o755),
        file("secret", "s", 0o600),
        file("shared", "s", 0o666),
        { kind: "directory", path: "empty/inner", mode: 0o750 },
        { kind: "symlink", path: "link", target: "a/b/deep.txt" },
        { kind: "symlink", path: "broken", target: "/no/where" },
      ];
      await sandbox.putFiles(entries, `${dir}/made/here`);
      const at = `${dir}/made/here`;
      assert.equal(await textOf(sandbox, `${at}/a/b/deep.txt`), "deep\r\n");
      assert.equal(await out(sandbox, "./run.sh; cat link; readlink broken", { cwd: at }), "ran\ndeep\r\n/no/where\n");
      assert.equal(
        await out(sandbox, "stat -c '%a' run.sh secret shared a/b/deep.txt empty/inner", { cwd: at }),
        "755\n600\n666\n644\n750\n",
      );
    },
  },
  {
    name: "owns what it puts by the user that commands run as",
    run: async ({ sandbox, dir }) => {
      await sandbox.putFiles([file("sub/f", "x"), { kind: "directory", path: "d", mode: 0o755 }], dir);
      await out(sandbox, "echo more >>sub/f && touch sub/new d/new && rm sub/f && rmdir sub 2>/dev/null || rm -r sub d", { cwd: dir });
      assert.equal(await out(sandbox, "touch here; [ -O here ] && [ -O . ] && echo mine", { cwd: dir }), "mine\n");
    },
  },
  {
    name: "puts 2,000 files, and streamed ones, byte for byte",
    run: async ({ sandbox, dir }) => {
      const big = Buffer.alloc(3_000_000, "0123456789abcdef");
      const many = async function* (): AsyncGenerator<FileEntry> {
        for (let n = 0; n < 2000; n += 1) yield file(`d${n % 20}/f${n}`, `content ${n}\n`);
        yield {
          kind: "file",
          path: "big",
          mode: 0o644,
          content: { size: big.length, open: () => Readable.from([big.subarray(0, 7), big.subarray(7)]) },
        };
      };
      await sandbox.putFiles(many(), dir);
      assert.equal(
        await out(sandbox, "find . -type f -name 'f*' | wc -l | tr -d ' '; cat d7/f1987; wc -c <big | tr -d ' '", { cwd: dir }),
        "2000\ncontent 1987\n3000000\n",
      );
      const read = await sandbox.readFile(`${dir}/big`, big.length);
      assert.ok(read.kind === "read" && big.equals(read.bytes));
    },
  },
  {
    name: "replaces a file, and a link instead of writing through it",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "echo old >f; chmod 400 f; echo target >t; ln -s t link; ln -s /etc/evalbatch-test far", { cwd: dir });
      await sandbox.putFiles([file("f", "new"), file("link", "own"), file("far", "near")], dir);
      assert.deepEqual(await Promise.all(["f", "t", "link", "far"].map((name) => textOf(sandbox, `${dir}/${name}`))), [
        "new",
        "target\n",
        "own",
        "near",
      ]);
      assert.equal(await out(sandbox, "stat -c %a f; test -L link || echo no link", { cwd: dir }), "644\nno link\n");
    },
  },
  {
    name: "writes through a link to a directory inside, and refuses one that leads out",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "mkdir real; ln -s real in; ln -s /tmp out; ln -s ../../../../tmp up", { cwd: dir });
      await sandbox.putFiles([file("in/f", "x")], dir);
      assert.equal(await textOf(sandbox, `${dir}/real/f`), "x");
      for (const path of ["out/evalbatch-escaped", "up/evalbatch-escaped"]) {
        await assert.rejects(sandbox.putFiles([file(path, "x")], dir), { code: "put-outside" }, path);
      }
      await assert.rejects(sandbox.putFiles([{ kind: "symlink", path: "own", target: "/tmp" }, file("own/evalbatch-escaped", "x")], dir), {
        code: "put-outside",
      });
      assert.equal(await out(sandbox, "ls /tmp/evalbatch-escaped 2>/dev/null || echo none"), "none\n");
    },
  },
  {
    name: "refuses paths that are not plainly inside",
    run: async ({ sandbox, dir }) => {
      for (const path of ["../x", "a/../../x", "/x", "", ".", "a//b", "./a", "a/", "nul\0"]) {
        await assert.rejects(sandbox.putFiles([file(path, "x")], dir), { code: "put-outside" }, JSON.stringify(path));
      }
      for (const destination of ["..", "/etc", "/", `${sandbox.workDir}/../x`]) {
        await assert.rejects(sandbox.putFiles([file("x", "x")], destination), { code: "put-outside" }, destination);
      }
    },
  },
  {
    name: "says so when a file is where a directory has to be",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "echo x >f; mkdir d", { cwd: dir });
      await assert.rejects(sandbox.putFiles([file("f/x", "x")], dir), { code: "put-failed" });
      await assert.rejects(sandbox.putFiles([file("d", "x")], dir), { code: "put-failed" });
    },
  },
  {
    name: "has a support directory outside of workDir that commands can read",
    run: async ({ sandbox, dir }) => {
      assert.ok(!sandbox.supportDir.startsWith(`${sandbox.workDir}/`) && sandbox.supportDir !== sandbox.workDir);
      await sandbox.putFiles([file(`${dir}.txt`, "from us")], sandbox.supportDir);
      assert.equal(await out(sandbox, `cat "$FILE"`, { env: { FILE: `${sandbox.supportDir}/${dir}.txt` } }), "from us");
      assert.equal(await sandbox.kindOf(`${sandbox.supportDir}/${dir}.txt`), "outside");
    },
  },
  {
    name: "exports regular files and directories with their modes, a private file stays private",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      const host = await hostDir();
      await out(
        sandbox,
        "mkdir -p deep/er empty; echo 1 >deep/er/one; echo s >private; chmod 600 private; echo x >run; chmod 4755 run; : >nothing; echo r >ro; chmod 444 ro",
      );
      const report = await sandbox.exportTo(join(host, "new"), everything);
      assert.deepEqual([report.files, report.bytes, report.leftOut], [5, 8, []]);
      assert.deepEqual((await readdir(join(host, "new"), { recursive: true })).sort(), [
        "deep",
        "deep/er",
        "deep/er/one",
        "empty",
        "nothing",
        "private",
        "ro",
        "run",
      ]);
      const modes = await Promise.all(
        ["private", "run", "ro"].map(async (name) => ((await lstat(join(host, "new", name))).mode & 0o7777).toString(8)),
      );
      assert.deepEqual(modes, ["600", "755", "644"]);
      assert.equal(await readFile(join(host, "new/deep/er/one"), "utf8"), "1\n");
    },
  },
  {
    name: "leaves links, fifos and excluded names behind and says so",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      const host = await hostDir();
      await out(
        sandbox,
        "mkdir -p keep .venv/lib a/node_modules/x; touch keep/f .venv/lib/v a/node_modules/x/n a/f.pyc a/f; ln -s /etc/passwd abs; ln -s keep rel; ln -s ../../x keep/up; mkfifo pipe",
      );
      const report = await sandbox.exportTo(host, { ...everything, exclude: [".venv", "node_modules", "*.pyc"] });
      assert.deepEqual((await readdir(host, { recursive: true })).sort(), ["a", "a/f", "keep", "keep/f"]);
      const left = report.leftOut.map(({ path, reason }) => `${path}: ${reason}`).sort();
      assert.deepEqual(left, [
        ".venv: excluded",
        "a/f.pyc: excluded",
        "a/node_modules: excluded",
        "abs: link",
        "keep/up: link",
        "pipe: fifo",
        "rel: link",
      ]);
      assert.equal(report.leftOutCount, 7);
    },
  },
  {
    name: "exports hostile names under these very names, but none that is not UTF-8",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      const host = await hostDir();
      await sandbox.putFiles(hostileNames.map((name) => file(`d/${name}`, name)));
      await out(sandbox, `touch "$(printf 'not\\377utf8')"`);
      const report = await sandbox.exportTo(host, everything);
      assert.deepEqual((await readdir(join(host, "d"))).sort(), [...hostileNames].sort());
      for (const name of hostileNames) assert.equal(await readFile(join(host, "d", name), "utf8"), name);
      assert.deepEqual(
        report.leftOut.map(({ reason }) => reason),
        ["name is not UTF-8"],
      );
    },
  },
  {
    name: "exports no more bytes than allowed and names what stayed behind",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      const host = await hostDir();
      await out(sandbox, "head -c 600 /dev/zero >a; head -c 600 /dev/zero >b; head -c 400 /dev/zero >c");
      const report = await sandbox.exportTo(host, { ...everything, maxBytes: 1000 });
      assert.deepEqual([report.files, report.bytes, report.leftOutCount], [2, 1000, 1]);
      assert.equal(report.leftOut[0]?.reason, "over the size limit");
    },
  },
  {
    name: "exports what the task made unreadable for itself, over what an earlier export left",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      const host = await hostDir();
      await out(sandbox, "mkdir closed; echo in >closed/f; chmod 000 closed; echo none >f; chmod 000 f");
      await sandbox.exportTo(host, everything);
      assert.equal(await readFile(join(host, "closed/f"), "utf8"), "in\n");
      assert.equal(await readFile(join(host, "f"), "utf8"), "none\n");
      await chmod(join(host, "f"), 0o400);
      await sandbox.exportTo(host, { ...everything, move: true });
      assert.equal(await readFile(join(host, "f"), "utf8"), "none\n");
    },
  },
  {
    name: "an aborted export rejects with the signal's reason",
    run: async ({ fresh, hostDir }) => {
      const sandbox = await fresh();
      await out(sandbox, "touch f");
      const reason = new Error("enough");
      await assert.rejects(
        sandbox.exportTo(await hostDir(), { ...everything, signal: AbortSignal.abort(reason) }),
        (error) => error === reason,
      );
    },
  },
];
