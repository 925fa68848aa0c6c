import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { sandboxSchema } from "../../../../src/plan/schema/sandbox-schema.ts";
import type { Sandbox } from "../../../../src/sandbox/sandbox.ts";
import { createTempdirDriver } from "../../../../src/sandbox/tempdir/driver.ts";
import { removeTree } from "../../../../src/sandbox/tempdir/leftovers.ts";
import { withoutCredentials } from "../../../../src/sandbox/templates/git-command.ts";
import { checkedAddress, createRepoSource, splitCredentials } from "../../../../src/sandbox/templates/repo-source.ts";

const { signal } = new AbortController();
const log = (): void => {};

interface Place {
  readonly tmpDir: string;
  readonly sandbox: () => Promise<Sandbox>;
  /** A repository with the commits one (tag v1), two (trunk) and three (feature/x). */
  readonly origin: string;
  readonly git: (...args: string[]) => string;
}

async function withOrigin(work: (place: Place) => Promise<void>): Promise<void> {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "repo-test-")));
  const origin = join(tmpDir, "origin repo");
  const driver = createTempdirDriver({ runId: "r", env: process.env, tmpDir, log });
  try {
    await mkdir(origin);
    const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false"];
    const git = (...args: string[]) => execFileSync("git", ["-C", origin, ...identity, ...args], { encoding: "utf8" }).trim();
    const commit = async (text: string) => {
      await writeFile(join(origin, "f"), text);
      git("add", "f");
      git("commit", "-q", "-m", text);
    };
    git("init", "-q", "-b", "trunk");
    await commit("one");
    git("tag", "-a", "v1", "-m", "first");
    await commit("two");
    git("checkout", "-q", "-b", "feature/x");
    await commit("three");
    git("checkout", "-q", "trunk");
    const request = { key: "k", taskId: "t", config: sandboxSchema.parse({}), taskDir: "/", env: {}, lifeSeconds: 600, log };
    await work({ tmpDir, origin, git, sandbox: async () => await driver.start(request, signal) });
  } finally {
    await driver.killAll();
    await removeTree(tmpDir);
  }
}

async function look(sandbox: Sandbox, shell: string): Promise<string> {
  const { output } = await sandbox.exec({ command: { shell }, cwd: "repo", timeoutMs: 20_000, maxOutputBytes: 10_000, signal });
  return (output.stdout + output.stderr).trim();
}

const asked = (url: string, commit: string | null = null) => ({ type: "repo", url, commit }) as const;

test("gives branch, tag, full and short id, and what git can say of them, always as one commit", async () => {
  await withOrigin(async ({ tmpDir, origin, git, sandbox }) => {
    await using repos = createRepoSource({ runId: "r", env: process.env, tmpDir });
    const one = git("rev-parse", "v1^{commit}");
    const expected: [string | null, string, string][] = [
      [null, "two", "trunk"],
      ["feature/x", "three", "feature/x"],
      ["v1", "one", "HEAD"],
      ["refs/tags/v1", "one", "HEAD"],
      [one, "one", "HEAD"],
      [one.slice(0, 8), "one", "HEAD"],
      ["HEAD~1", "one", "HEAD"],
      ["origin/feature/x", "three", "HEAD"],
    ];
    for (const [commit, content, branch] of expected) {
      const place = await sandbox();
      await repos.copyInto(place, asked(origin, commit), { signal, log });
      const seen = await look(
        place,
        "cat f; echo; git rev-parse --abbrev-ref HEAD; git log --all --oneline | wc -l; git status --porcelain; git remote; git tag; git reflog",
      );
      assert.equal(seen, `${content}\n${branch}\n1`, String(commit));
      await assert.rejects(readFile(join(place.workDir, "repo/.git/FETCH_HEAD")), { code: "ENOENT" });
      assert.equal(
        await look(place, "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m agent && git log --oneline | wc -l"),
        "2",
      );
    }
  });
});

test("gets a commit from a server that refuses to give one by its id", async () => {
  await withOrigin(async ({ tmpDir, origin, git, sandbox }) => {
    // The old protocol keeps to what was advertised: an id in the middle of history is "not our ref".
    const env = { ...process.env, GIT_CONFIG_COUNT: "1", GIT_CONFIG_KEY_0: "protocol.version", GIT_CONFIG_VALUE_0: "0" };
    await using repos = createRepoSource({ runId: "r", env, tmpDir });
    const place = await sandbox();
    await repos.copyInto(place, asked(origin, git("rev-parse", "v1^{commit}")), { signal, log });
    assert.equal(await look(place, "cat f; echo; git log --all --oneline | wc -l"), "one\n1");
  });
});

test("fetches once per run, so that replicates agree, and leaves nothing behind", async () => {
  await withOrigin(async ({ tmpDir, origin, git, sandbox }) => {
    const repos = createRepoSource({ runId: "r", env: process.env, tmpDir });
    const [first, second] = [await sandbox(), await sandbox()];
    await Promise.all([first, second].map((place) => repos.copyInto(place, asked(origin), { signal, log })));
    await writeFile(join(origin, "f"), "moved on");
    git("commit", "-q", "-a", "-m", "later");
    const third = await sandbox();
    await repos.copyInto(third, asked(origin), { signal, log });
    assert.deepEqual(await Promise.all([first, second, third].map((place) => look(place, "cat f"))), ["two", "two", "two"]);
    await repos[Symbol.asyncDispose]();
    assert.deepEqual(
      (await readdir(tmpDir)).filter((name) => name.includes("repos")),
      [],
    );
  });
});

test("says what could not be cloned, without credentials, and tries again for the next task", async () => {
  await withOrigin(async ({ tmpDir, origin, git, sandbox }) => {
    await using repos = createRepoSource({ runId: "r", env: process.env, tmpDir });
    const place = await sandbox();
    const copy = (url: string, commit: string | null) => repos.copyInto(place, asked(url, commit), { signal, log });
    await assert.rejects(copy(origin, "nope"), {
      name: "SandboxSetupError",
      code: "git_clone_error",
      message: `failed to clone repository ${origin} at nope: the repository has no commit, tag or branch 'nope'`,
    });
    git("tag", "nope");
    await copy(origin, "nope");
    await assert.rejects(copy(join(tmpDir, "none"), null), { code: "git_clone_error" });
    const refused = await copy("https://me:hunter2@127.0.0.1:9/x?token=abc", null).then(
      () => "cloned",
      (error: unknown) => String(error),
    );
    assert.match(refused, /failed to clone repository https:\/\/\*\*\*@127\.0\.0\.1:9\/x\?\*\*\*: /);
    assert.ok(!/hunter2|abc/.test(refused));
  });
});

test("the abort of one task does not end the fetch for another", async () => {
  await withOrigin(async ({ tmpDir, origin, sandbox }) => {
    await using repos = createRepoSource({ runId: "r", env: process.env, tmpDir });
    const [first, second] = [await sandbox(), await sandbox()];
    const abort = new AbortController();
    const gone = assert.rejects(repos.copyInto(first, asked(origin), { signal: abort.signal, log }), /cancelled/);
    const kept = repos.copyInto(second, asked(origin), { signal, log });
    abort.abort(new Error("cancelled"));
    await gone;
    await kept;
    assert.equal(await look(second, "cat f"), "two");
  });
});

test("hands credentials to git in its environment, never in arguments", async () => {
  const tmpDir = await realpath(await mkdtemp(join(tmpdir(), "repo-test-")));
  try {
    await writeFile(
      join(tmpDir, "git"),
      `#!/bin/sh\nfor a; do printf '%s ' "$a"; done >>"${tmpDir}/args"; env | grep GIT_ >>"${tmpDir}/env"; exit 1\n`,
      { mode: 0o755 },
    );
    const env = { ...process.env, PATH: `${tmpDir}:${process.env.PATH}`, GIT_DIR: "/elsewhere", GIT_TRACE: "1" };
    await using repos = createRepoSource({ runId: "r", env, tmpDir });
    const driver = createTempdirDriver({ runId: "r", env: process.env, tmpDir, log });
    const request = { key: "k", taskId: "t", config: sandboxSchema.parse({}), taskDir: "/", env: {}, lifeSeconds: 600, log };
    await using place = await driver.start(request, signal);
    await assert.rejects(repos.copyInto(place, asked("https://me:hunter%202@example.com/x.git"), { signal, log }));
    const [args, seen] = await Promise.all([readFile(join(tmpDir, "args"), "utf8"), readFile(join(tmpDir, "env"), "utf8")]);
    assert.ok(!args.includes("hunter"));
    assert.match(args, /core\.hooksPath=\/dev\/null/);
    assert.ok(seen.includes(`Authorization: Basic ${Buffer.from("me:hunter 2").toString("base64")}`));
    assert.match(seen, /GIT_TERMINAL_PROMPT=0/);
    assert.ok(!seen.includes("GIT_DIR=") && !seen.includes("GIT_TRACE="));
  } finally {
    await removeTree(tmpDir);
  }
});

test("takes addresses of safe protocols and absolute paths, and nothing that git could take for something else", () => {
  const good = ["https://h/x", "http://h/x", "ssh://git@h/x", "git://h/x", "file:///x", "git@github.com:a/b.git"];
  assert.deepEqual(
    good.map((url) => checkedAddress(asked(url))),
    good,
  );
  assert.equal(checkedAddress(asked("/a b/c")), "file:///a%20b/c");
  const bad = [
    "",
    "-x",
    "--upload-pack=x",
    "ext::sh -c id",
    "ext::id",
    "fd::17",
    "x",
    "../x",
    "./x",
    "ftp://h/x",
    "https://-x",
    "a@-oProxyCommand=x:y",
    "a@h::x",
    "h\n",
    "https://h/a b",
  ];
  for (const url of bad) assert.throws(() => checkedAddress(asked(url)), { name: "SandboxSetupError", code: "git_clone_error" }, url);
  const names = ["main", "feature/x", "v1.0^{}", "HEAD~2", "abc123", "release-1.0"];
  for (const commit of names) checkedAddress(asked("https://h/x", commit));
  for (const commit of ["", "-x", "--output=x", "a b", "a:b", "a*", "a\nb", "a?"])
    assert.throws(() => checkedAddress(asked("https://h/x", commit)), { code: "git_clone_error" }, commit);
});

test("takes credentials out of addresses", () => {
  assert.deepEqual(splitCredentials("https://h/x"), { address: "https://h/x", config: [] });
  assert.deepEqual(splitCredentials("ssh://git@h/x"), { address: "ssh://git@h/x", config: [] });
  assert.deepEqual(splitCredentials("https://tok@h:8443/x?y"), {
    address: "https://h:8443/x?y",
    config: [["http.https://h:8443/.extraHeader", `Authorization: Basic ${Buffer.from("tok:").toString("base64")}`]],
  });
  const text = "fatal: 'https://u:p@h/x?token=1' and ssh://git@h/y and https://h/z";
  assert.equal(withoutCredentials(text), "fatal: 'https://***@h/x?***' and ssh://***@h/y and https://h/z");
});
