import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TemplateSource } from "../../../src/plan/schema/task-schema.ts";
import { commandEnvironment } from "../../../src/sandbox/environments/command-environment.ts";
import { setUpNode } from "../../../src/sandbox/environments/node.ts";
import { applyTemplates, type TemplateOptions } from "../../../src/sandbox/templates/apply-templates.ts";
import { createRepoSource } from "../../../src/sandbox/templates/repo-source.ts";
import { provideTaskDir } from "../../../src/sandbox/templates/task-directory.ts";
import { type ContractCase, exitCodeOf, out, sh, textOf } from "./contract.ts";

const { signal } = new AbortController();

async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

async function withRepos(taskDir: string, work: (options: TemplateOptions, lines: string[]) => Promise<void>): Promise<void> {
  await using repos = createRepoSource({ runId: "contract", env: process.env, tmpDir: tmpdir() });
  const lines: string[] = [];
  await work({ ignorePatterns: [], taskDir, repos, log: (line) => lines.push(line), signal }, lines);
}

function dirSource(path: string, mountPoint = ".", patterns: string[] = []): TemplateSource {
  return { type: "template_dir", path, mount_point: mountPoint, include_patterns: patterns };
}

function starterSource(...files: { path: string; content: string }[]): TemplateSource {
  return { type: "starter_files", files };
}

/** What a task starts with. */
export const templateCases: readonly ContractCase[] = [
  {
    name: "copies template directories and starter files in order, later over earlier",
    run: async ({ fresh, hostDir }) => {
      const [sandbox, host] = [await fresh(), await hostDir()];
      await put(host, {
        "one/a": "1",
        "one/both": "1",
        "one/dist/x": "built",
        "one/.git/config": "c",
        "one/keep.me/x": "k",
        "two/both": "2",
        "two/sub/n": "n",
      });
      await chmod(join(host, "one/a"), 0o755);
      await symlink("a", join(host, "one/link"));
      await symlink("../two/both", join(host, "one/out"));
      await withRepos(host, async (options, lines) => {
        const starter = starterSource({ path: "./sub//s.txt", content: "no newline\r\nü" }, { path: "a", content: "starter" });
        const sources = [dirSource("one"), dirSource("two"), dirSource("two", "at/point"), starter];
        await applyTemplates(sandbox, sources, { ...options, ignorePatterns: ["!dist", "keep.*"] });
        assert.deepEqual(await sandbox.glob("**/*"), [
          "a",
          "at",
          "at/point",
          "at/point/both",
          "at/point/sub",
          "at/point/sub/n",
          "both",
          "dist",
          "dist/x",
          "link",
          "out",
          "sub",
          "sub/n",
          "sub/s.txt",
        ]);
        assert.deepEqual(await Promise.all(["a", "both", "sub/s.txt", "link"].map((path) => textOf(sandbox, path))), [
          "starter",
          "2",
          "no newline\r\nü",
          "starter",
        ]);
        assert.equal(await sandbox.kindOf("out"), "outside");
        assert.deepEqual(lines, ["template one: link out points out of the template and is copied as it is"]);
      });
    },
  },
  {
    name: "takes only what the include patterns name",
    run: async ({ fresh, hostDir }) => {
      const [sandbox, host] = [await fresh(), await hostDir()];
      await put(host, { "t/a.py": "", "t/A.PY": "", "t/sub/deep/b.py": "", "t/sub/c.txt": "", "t/docs/x.md": "", "t/docs/.hidden": "" });
      await withRepos(host, async (options) => {
        await applyTemplates(sandbox, [dirSource("t", ".", ["*.py", "docs/*"])], options);
      });
      assert.deepEqual(await sandbox.glob("**/*"), ["a.py", "docs", "docs/x.md", "sub", "sub/deep", "sub/deep/b.py"]);
      assert.equal(await sandbox.kindOf("docs/.hidden"), "file");
    },
  },
  {
    name: "names the template that is missing or cannot be copied",
    run: async ({ fresh, hostDir }) => {
      const [sandbox, host] = [await fresh(), await hostDir()];
      await put(host, { file: "x", "t/sub": "a file" });
      await withRepos(host, async (options) => {
        for (const path of ["none", "file"]) {
          const applied = applyTemplates(sandbox, [dirSource(path)], options);
          await assert.rejects(applied, { name: "SandboxSetupError", code: "template_copy_error" });
        }
        const clash = applyTemplates(sandbox, [dirSource("t"), starterSource({ path: "sub/x", content: "" })], options);
        await assert.rejects(clash, { code: "template_copy_error", message: /starter files could not be copied/ });
      });
    },
  },
  {
    name: "gives a repository as one commit without history, remote or log",
    run: async ({ fresh, hostDir }) => {
      const [sandbox, host] = [await fresh(), await hostDir()];
      const git = (...args: string[]) =>
        execFileSync("git", ["-C", host, "-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { encoding: "utf8" }).trim();
      git("init", "-q", "-b", "trunk");
      for (const content of ["the task", "the answer"]) {
        await put(host, { "f.txt": content, "bin/tool": "#!/bin/sh\necho tool\n" });
        await chmod(join(host, "bin/tool"), 0o755);
        git("add", ".");
        git("commit", "-q", "-m", content);
      }
      const pinned = git("rev-parse", "HEAD~1");
      await withRepos(host, async (options) => {
        await applyTemplates(sandbox, [{ type: "repo", url: host, commit: pinned }], options);
      });
      assert.equal(await textOf(sandbox, "repo/f.txt"), "the task");
      assert.equal(await out(sandbox, "./repo/bin/tool"), "tool\n");
      assert.equal((await textOf(sandbox, "repo/.git/HEAD")).trim(), pinned);
      const stored = (await sandbox.glob("repo/.git/**/*")).concat(await sandbox.glob("repo/.git/*"));
      assert.ok(!stored.some((path) => /FETCH_HEAD|ORIG_HEAD|\/logs|\/hooks|refs\/(remotes|tags|heads)\//.test(path)), stored.join(" "));
      assert.equal(exitCodeOf(await sh(sandbox, `grep -r "$WHERE" repo/.git`, { env: { WHERE: host } })), 1);
    },
  },
  {
    name: "shows criterion commands the directory of the task file",
    run: async ({ fresh, hostDir }) => {
      const [sandbox, host] = [await fresh(), await hostDir()];
      await put(host, { "check.sh": "echo checked", "fixtures/f": "fixture", "node_modules/x": "no" });
      const taskDir = await provideTaskDir(sandbox, host, { commands: ["true", `sh "$TASK_DIR/check.sh"`], log: () => {}, signal });
      const env = await commandEnvironment(sandbox, { python: undefined, taskDir, signal });
      assert.equal(await out(sandbox, `sh "$TASK_DIR/check.sh"; cat $TASK_DIR/fixtures/f`, { env }), "checked\nfixture");
    },
  },
  {
    name: "puts node_modules/.bin first on the PATH of criterion commands, when there is one",
    run: async ({ fresh }) => {
      const sandbox = await fresh();
      const options = { python: undefined, taskDir: undefined, signal };
      const before = await commandEnvironment(sandbox, options);
      assert.deepEqual(before, { NODE_PATH: "", NPM_CONFIG_PREFIX: `${sandbox.workDir}/.npm-prefix` });
      await out(
        sandbox,
        "mkdir -p node_modules/.bin; printf '#!/bin/sh\\necho mine\\n' >node_modules/.bin/mytool; chmod 755 node_modules/.bin/mytool",
      );
      const env = await commandEnvironment(sandbox, options);
      assert.ok(env.PATH?.startsWith(`${sandbox.workDir}/node_modules/.bin:`));
      assert.equal(await out(sandbox, "mytool; cat /dev/null && echo base", { env }), "mine\nbase\n");
    },
  },
  {
    name: "installs no Node packages where none are asked for",
    run: async ({ sandbox }) => {
      assert.deepEqual(await setUpNode(sandbox, { envPackages: [], signal, log: () => {} }), {});
    },
  },
];
