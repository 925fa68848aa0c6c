import assert from "node:assert/strict";
import { type ContractCase, file, out } from "./contract.ts";

/** Names that break line-wise listings, quoting, patterns and terminals. */
export const hostileNames = [
  "new\nline",
  "tab\tand space ",
  "'quoted' \"twice\"",
  "-rf",
  "--",
  "$(id)`id`",
  "back\\slash",
  "ünïcödé 😀",
  "*",
  "[a]",
  "\u202Ebidi",
  "\x1b[31mred",
  "%s%n",
  "#",
  "~",
  "a".repeat(200),
];

/** What can be read of a sandbox. */
export const readCases: readonly ContractCase[] = [
  {
    name: "reads a file's bytes as they are",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, `printf '\\000\\377\\r\\n\\357\\273\\277x' >bytes; : >empty`, { cwd: dir });
      const read = await sandbox.readFile(`${dir}/bytes`, 100);
      assert.deepEqual(read.kind === "read" && [...read.bytes], [0, 255, 13, 10, 0xef, 0xbb, 0xbf, 0x78]);
      const empty = await sandbox.readFile(`${dir}/empty`, 0);
      assert.equal(empty.kind === "read" && empty.bytes.length, 0);
    },
  },
  {
    name: "tells what stands at a path, and never waits for a fifo",
    run: async ({ sandbox, dir }) => {
      await out(
        sandbox,
        "mkdir d; echo x >f; mkfifo p; ln -s f to-file; ln -s d to-dir; ln -s p to-fifo; ln -s nowhere dangling; ln -s loop loop",
        { cwd: dir },
      );
      const expected: Record<string, string> = {
        d: "directory",
        f: "file",
        p: "other",
        "to-file": "file",
        "to-dir": "directory",
        "to-fifo": "other",
        dangling: "missing",
        loop: "missing",
        none: "missing",
        "f/x": "missing",
        "none/x": "missing",
        "d/": "directory",
        "d/..//./f": "file",
      };
      const found: Record<string, string> = {};
      for (const path of Object.keys(expected)) found[path] = await sandbox.kindOf(`${dir}/${path}`);
      assert.deepEqual(found, expected);
      for (const path of Object.keys(expected)) {
        const { kind } = await sandbox.readFile(`${dir}/${path}`, 100);
        assert.equal(kind, found[path] === "file" ? "read" : found[path], path);
      }
    },
  },
  {
    name: "reads nothing outside of workDir, whether by path or by link",
    run: async ({ sandbox, dir }) => {
      await out(
        sandbox,
        `ln -s /etc/passwd absolute; ln -s ../../../../../../../../etc/passwd relative; ln -s / root; ln -s "$PWD/in" inside; echo in >in; ln -s /no/where gone; mkdir d; ln -s ../../.. d/up`,
        { cwd: dir },
      );
      const outside = [
        "..",
        "../..",
        "../x",
        "/",
        "/etc/passwd",
        "/etc",
        "/no/such",
        `${sandbox.workDir}/../x`,
        `${sandbox.workDir}x`,
        `${dir}/../../x`,
      ];
      const links = ["absolute", "relative", "root", "root/etc/passwd", "gone", "d/up", "d/up/x"].map((name) => `${dir}/${name}`);
      for (const path of [...outside, ...links]) {
        assert.equal(await sandbox.kindOf(path), "outside", path);
        assert.deepEqual(await sandbox.readFile(path, 1000), { kind: "outside" }, path);
      }
      assert.equal(await sandbox.kindOf(`${dir}/inside`), "file");
      assert.equal(await sandbox.kindOf(`${sandbox.workDir}/${dir}/in`), "file");
      assert.equal(await sandbox.kindOf(sandbox.workDir), "directory");
      assert.equal(await sandbox.kindOf("."), "directory");
    },
  },
  {
    name: "gives a file's size instead of its bytes when it is over the limit",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "head -c 1000 /dev/zero >f", { cwd: dir });
      assert.deepEqual(await sandbox.readFile(`${dir}/f`, 999), { kind: "too large", bytes: 1000 });
      assert.equal((await sandbox.readFile(`${dir}/f`, 1000)).kind, "read");
    },
  },
  {
    name: "reads files with hostile names",
    run: async ({ sandbox, dir }) => {
      await sandbox.putFiles(
        hostileNames.map((name) => file(name, `is ${name}`)),
        dir,
      );
      for (const name of hostileNames) {
        const read = await sandbox.readFile(`${dir}/${name}`, 1000);
        assert.equal(read.kind === "read" && Buffer.from(read.bytes).toString(), `is ${name}`, name);
      }
      assert.equal(await sandbox.kindOf(`${dir}/nul\0byte`), "missing");
    },
  },
  {
    name: "finds paths by pattern as Python's recursive glob does",
    run: async ({ sandbox, dir }) => {
      await out(
        sandbox,
        "mkdir -p a/b/c .hidden x1; touch top.txt a/one.txt a/b/two.txt a/b/c/three.py .hidden/four.txt a/.dot x1/y 'x[1]' b.TXT",
        { cwd: dir },
      );
      const cases: Record<string, string[]> = {
        "*.txt": ["top.txt"],
        "*": ["a", "b.TXT", "top.txt", "x1", "x[1]"],
        "?.TXT": ["b.TXT"],
        "a/*": ["a/b", "a/one.txt"],
        "a/*.txt": ["a/one.txt"],
        "**/*.txt": ["a/b/two.txt", "a/one.txt", "top.txt"],
        "a/**": ["a", "a/b", "a/b/c", "a/b/c/three.py", "a/b/two.txt", "a/one.txt"],
        "a/**/*.py": ["a/b/c/three.py"],
        "**/b/*": ["a/b/c", "a/b/two.txt"],
        ".*": [".hidden"],
        "a/.*": ["a/.dot"],
        "x[12]": ["x1"],
        "x[[]1]": ["x[1]"],
        "x[!2]/y": ["x1/y"],
        "./a//one.txt": ["a/one.txt"],
        "a/one.txt": ["a/one.txt"],
        "nothing/*": [],
        "a/one.txt/*": [],
        "*a*": ["a"],
        "A/*": [],
      };
      for (const [pattern, expected] of Object.entries(cases)) {
        const prefix = pattern.startsWith("./") ? `./${dir}/${pattern.slice(2)}` : `${dir}/${pattern}`;
        const found = (await sandbox.glob(prefix)).map((path) => path.slice(dir.length + 1));
        assert.deepEqual(found, expected, pattern);
      }
    },
  },
  {
    name: "finds nothing by a pattern that leads out of workDir",
    run: async ({ sandbox }) => {
      for (const pattern of ["/etc/*", "../*", "../**", "..", "/", "", "*/../../*", `${sandbox.workDir}/*`])
        assert.deepEqual(await sandbox.glob(pattern), [], pattern);
    },
  },
  {
    name: "does not look behind links, but finds the links themselves",
    run: async ({ sandbox, dir }) => {
      await out(sandbox, "mkdir d; touch d/f; ln -s d to-dir; ln -s /etc to-etc; ln -s nowhere dangling; ln -s . d/self", { cwd: dir });
      const found = (await sandbox.glob(`${dir}/**/*`)).map((path) => path.slice(dir.length + 1));
      assert.deepEqual(found, ["d", "d/f", "d/self", "dangling", "to-dir", "to-etc"]);
    },
  },
  {
    name: "lists hostile names whole, in the order of code points",
    run: async ({ sandbox, dir }) => {
      await sandbox.putFiles(
        hostileNames.map((name) => file(name, "")),
        dir,
      );
      await out(sandbox, `touch "$(printf 'not\\377utf8')"; touch '￿' '😁'`, { cwd: dir });
      const expected = [...hostileNames, "￿", "😁"].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        await sandbox.glob(`${dir}/*`),
        expected.map((name) => `${dir}/${name}`),
      );
    },
  },
];
