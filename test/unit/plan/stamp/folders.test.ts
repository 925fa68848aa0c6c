import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import test from "node:test";
import fc from "fast-check";
import { leftBehindNames } from "../../../../src/plan/files/ignored-names.ts";
import type { TaskFolder } from "../task-folder.ts";
import { noAgentTask } from "../task-folder.ts";
import { dockerTask, stampFiles } from "./stamped.ts";

type Files = Record<string, string | Uint8Array>;

const templateTask = (more = "", patterns = "") =>
  noAgentTask("t", `sandbox: {template_sources: [{type: template_dir, path: app${more}}]${patterns}}\n`);

async function folderDigest(files: Files, change?: (folder: TaskFolder) => Promise<void>, yaml = templateTask()): Promise<string> {
  const { stamp, stamps } = await stampFiles({ "t.yaml": yaml, ...files }, {}, change);
  assert.deepEqual(stamps.problems, []);
  return stamp.digest;
}

/** `env`, `.hg`, `x.so`, … are left behind: what is in them changes nothing. */
const isLeftBehind = (part: string): boolean =>
  [part, `${part}_`].some((one) =>
    leftBehindNames.some((pattern) => {
      if (pattern.startsWith("*")) return one.endsWith(pattern.slice(1));
      return pattern.endsWith("*") ? one.startsWith(pattern.slice(0, -1)) : one === pattern;
    }),
  );
const name = fc.stringMatching(/^[a-zé😀.]{0,2}[a-z]$/u).filter((part) => !isLeftBehind(part));
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `app/${parts.join("/")}`);
const content = fc.uint8Array({ minLength: 1, maxLength: 40 });

/** No file is where another one needs a folder. */
const tree = fc.dictionary(path, content, { minKeys: 1, maxKeys: 6, noNullPrototype: true }).filter((files) => {
  const names = Object.keys(files);
  return names.every((one) => !names.some((other) => other.startsWith(`${one}/`)));
});

test("the order in which files were made, their times and what is left behind change no digest", async () => {
  const ignored = fc.constantFrom(...leftBehindNames.map((pattern) => pattern.replace(/^\*|\*$/g, "x")));
  await fc.assert(
    fc.asyncProperty(tree, ignored, content, async (files, junk, bytes) => {
      const before = await folderDigest(files);
      const after = await folderDigest(Object.fromEntries(Object.entries(files).reverse()), async (folder) => {
        for (const [index, file] of Object.keys(files).entries()) await utimes(join(folder.path, file), index, index + 1);
        await mkdir(join(folder.path, "app/empty folder"), { recursive: true });
        await mkdir(join(folder.path, "app/zz", junk), { recursive: true });
        await writeFile(join(folder.path, "app/zz", junk, "file"), bytes);
      });
      assert.equal(after, before);
    }),
    { numRuns: 25 },
  );
});

test("any other byte of any file, another name, one file more or less changes the digest", async () => {
  await fc.assert(
    fc.asyncProperty(tree, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), async (files, which, where, change) => {
      const before = await folderDigest(files);
      const names = Object.keys(files);
      const chosen = names[which % names.length] ?? "";
      const bytes = Uint8Array.from(files[chosen] ?? []);
      bytes[where % bytes.length] = (bytes[where % bytes.length] ?? 0) ^ change;
      assert.notEqual(await folderDigest({ ...files, [chosen]: bytes }), before);
      const { [chosen]: text, ...others } = files;
      assert.notEqual(await folderDigest({ ...others, [`${chosen}_`]: text ?? "" }), before);
      assert.notEqual(await folderDigest({ ...files, "app/new_": "" }), before);
    }),
    { numRuns: 25 },
  );
});

test("line ends count as they are", async () => {
  assert.notEqual(await folderDigest({ "app/a": "1\r\n" }), await folderDigest({ "app/a": "1\n" }));
});

test("of modes only whether a file can be executed counts", async () => {
  const withMode = (mode: number) => folderDigest({ "app/run.sh": "true" }, ({ path }) => chmod(join(path, "app/run.sh"), mode));
  assert.equal(await withMode(0o600), await withMode(0o664));
  assert.equal(await withMode(0o755), await withMode(0o710));
  assert.notEqual(await withMode(0o755), await withMode(0o644));
});

test("a link is what it says, and nothing that it points at", async () => {
  const linked = (target: string, secret: string) =>
    folderDigest({ "app/a": "1", "elsewhere/secret": secret }, ({ path }) => symlink(target, join(path, "app/link")));
  const before = await linked("../elsewhere", "one");
  assert.equal(await linked("../elsewhere", "two"), before);
  assert.notEqual(await linked("../nowhere", "one"), before);
  assert.equal(await linked(".", "one"), await linked(".", "two"));
});

test("a template is stamped as it is copied: ignore_patterns and include_patterns decide", async () => {
  const files = { "app/a.py": "1", "app/b.log": "1", "app/dist/c.js": "1", "app/node_modules/m.js": "1" };
  const seen = async (changed: string, yaml: string) =>
    (await folderDigest({ ...files, [changed]: "2" }, undefined, yaml)) !== (await folderDigest(files, undefined, yaml));
  assert.deepEqual(
    [
      await seen("app/b.log", templateTask()),
      await seen("app/b.log", templateTask("", ", ignore_patterns: ['*.log']")),
      await seen("app/b.log", templateTask(", include_patterns: ['*.py']")),
      await seen("app/a.py", templateTask(", include_patterns: ['*.py']")),
      await seen("app/dist/c.js", templateTask()),
      await seen("app/dist/c.js", templateTask("", ", ignore_patterns: ['!dist']")),
      await seen("app/node_modules/m.js", templateTask()),
      await seen("app/node_modules/m.js", templateTask("", ", ignore_patterns: ['!node_modules']")),
    ],
    [true, false, false, true, false, true, false, true],
  );
});

test("a build context is stamped as it is sent: .dockerignore decides, the Dockerfile's own before the context's", async () => {
  const yaml = dockerTask("", ", dockerfile_path: ctx/Dockerfile");
  const files = {
    "ctx/Dockerfile": "FROM a",
    "ctx/a": "1",
    "ctx/logs/x": "1",
    "ctx/logs/keep": "1",
    "ctx/.dockerignore": "logs\n!logs/keep",
  };
  const digest = (more: Files) => folderDigest({ ...files, ...more }, undefined, yaml);
  const before = await digest({});
  assert.equal(await digest({ "ctx/logs/x": "2" }), before);
  assert.notEqual(await digest({ "ctx/logs/keep": "2" }), before);
  assert.notEqual(await digest({ "ctx/a": "2" }), before);
  assert.notEqual(await digest({ "ctx/Dockerfile": "FROM b" }), before);
  const own = { "ctx/Dockerfile.dockerignore": "a" };
  assert.equal(await digest({ ...own, "ctx/a": "2" }), await digest(own));
});

test("where TASK_DIR stands alone the whole folder counts, but for task files, earlier runs and the link to the latest", async () => {
  const yaml = noAgentTask("t").replace(
    /\{type: file_exists.*\}/,
    '{type: run_command, description: e, command: "cd $TASK_DIR && ./check.sh"}',
  );
  const digest = (more: Files, change?: (folder: TaskFolder) => Promise<void>) => folderDigest({ "check.sh": "1", ...more }, change, yaml);
  const before = await digest({});
  assert.notEqual(await digest({ "check.sh": "2" }), before);
  assert.notEqual(await digest({ "data.yaml": "x: 1" }), before);
  assert.equal(await digest({ "u.yaml": noAgentTask("u") }), before);
  const withRun = await digest({ "runs/1/resume_fingerprint.json": "{}", "runs/1/default/x": "1" }, ({ path }) =>
    symlink("1", join(path, "runs/latest")),
  );
  assert.equal(withRun, before);
});

test("a script in a folder beside the task counts with that folder, one beside the task file alone", async () => {
  const named = (script: string) =>
    noAgentTask("t").replace(/\{type: file_exists.*\}/, `{type: run_command, description: e, command: 'python "$TASK_DIR/${script}"'}`);
  const files = { "checks/a.py": "1", "checks/b.py": "1", "c.py": "1", "d.py": "1" };
  const names = async (script: string) =>
    Object.keys((await stampFiles({ "t.yaml": named(script), ...files })).stamp.content).filter((part) => part.includes(" "));
  assert.deepEqual(await names("checks/a.py"), ["file checks/a.py", "folder checks"]);
  assert.deepEqual(await names("c.py"), ["file c.py"]);
  assert.deepEqual(await names("checks"), ["folder checks"]);
  assert.deepEqual(await names("checks/$NAME.py"), ["folder checks"]);
});

test("what a command makes is none of what the task brings", async () => {
  const yaml = noAgentTask("t").replace(
    /\{type: file_exists.*\}/,
    "{type: run_command, description: e, command: 'ls > $TASK_DIR/out.txt'}",
  );
  assert.equal(await folderDigest({}, undefined, yaml), await folderDigest({ "out.txt": "1" }, undefined, yaml));
});

test("what is neither a file nor a folder nor a link is left out with a line", async () => {
  const { stamp, stamps } = await stampFiles({ "t.yaml": templateTask(), "app/a": "1" }, {}, async ({ path }) => {
    execFileSync("mkfifo", [join(path, "app/pipe")]);
  });
  assert.deepEqual(stamps.problems, ["folder app: pipe is left out: it is neither a file nor a folder nor a link"]);
  assert.equal(stamp.digest, await folderDigest({ "app/a": "1" }));
});
