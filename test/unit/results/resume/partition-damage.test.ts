import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { readAttemptsFile } from "../../../../src/results/resume/attempts-file.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { divide, planned, putResult } from "./planned.ts";

test("whatever is wrong with one file costs its row alone, and the file is kept under another name", async () => {
  using root = temporaryDirectory();
  const whole = serializeTaskResult(sampleResult({ task_id: "x" }));
  const damage: Record<string, string | Buffer> = {
    empty: "",
    half: whole.slice(0, whole.length / 2),
    list: "[]",
    status: '{"task_id": "status", "final_status": "SOMETHING_NEW"}',
    none: '{"task_id": "none"}',
    bytes: Buffer.from(whole.replace('"x"', '"\u00ff"'), "latin1"),
    utf16: Buffer.from(`\ufeff${whole}`, "utf16le"),
    zeros: Buffer.alloc(4096),
  };
  for (const [id, content] of Object.entries(damage)) {
    put(root.path, `default/${id}/00/task.json`, "");
    writeFileSync(join(root.path, `default/${id}/00/task.json`), content);
  }
  put(root.path, "default/huge/00/task.json", "");
  truncateSync(join(root.path, "default/huge/00/task.json"), 256 * 1024 * 1024 + 1);
  put(root.path, "default/directory/00/task.json/inner", "");
  put(root.path, "elsewhere", serializeTaskResult(sampleResult({ task_id: "link" })));
  mkdirSync(join(root.path, "default/link/00"), { recursive: true });
  symlinkSync(join(root.path, "elsewhere"), join(root.path, "default/link/00/task.json"));
  mkdirSync(join(root.path, "default/nowhere/00"), { recursive: true });
  symlinkSync("/no/such/file", join(root.path, "default/nowhere/00/task.json"));
  putResult(root.path, "fine");
  const ids = [...Object.keys(damage), "huge", "directory", "link", "nowhere"];
  const { decisions, setAside } = await divide(
    root.path,
    [...ids, "fine"].map((id) => planned(id)),
  );
  assert.deepEqual(decisions, [...ids.map(() => "unreadable"), "keep"]);
  assert.equal(setAside.length, ids.length);
  const reasons: Record<string, RegExp> = {
    empty: /the file is empty/,
    half: /not valid JSON/,
    list: /expected an object, found a list/,
    status: /final_status "SOMETHING_NEW" is unknown/,
    bytes: /not valid UTF-8/,
    huge: /more than 268435456/,
    directory: /not a regular file/,
    link: /not a regular file/,
    nowhere: /not a regular file/,
  };
  for (const id of ids) {
    const line = setAside.find((entry) => entry.startsWith(`default/${id}/00/task.json: `)) ?? "";
    assert.match(line, reasons[id] ?? /./);
    assert.ok(line.endsWith(` -> default/${id}/00/task.json.unreadable`), line);
    assert.deepEqual(
      (await readAttemptsFile(join(root.path, `default/${id}/00`)))?.earlier.map(({ status }) => status),
      ["ERROR"],
      id,
    );
  }
  // A second look finds nothing more to complain of.
  const again = await divide(
    root.path,
    [...ids, "fine"].map((id) => planned(id)),
  );
  assert.deepEqual(again.decisions, [...ids.map(() => "missing"), "keep"]);
  assert.deepEqual(again.setAside, []);
});

test("a name that is taken is not overwritten when a file is set aside", async () => {
  using root = temporaryDirectory();
  for (const text of ["first", "second", "third"]) {
    put(root.path, "default/a/00/task.json", text);
    await divide(root.path, [planned("a")]);
  }
  const texts = ["", "-2", "-3"].map((ending) => readFileSync(join(root.path, `default/a/00/task.json.unreadable${ending}`), "utf8"));
  assert.deepEqual(texts, ["first", "second", "third"]);
});

const asRoot = process.getuid?.() === 0 ? "root reads everything" : false;

test("a result that may not be read costs its row alone", { skip: asRoot }, async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "b");
  chmodSync(join(root.path, "default/a/00/task.json"), 0);
  assert.deepEqual(
    (
      await divide(
        root.path,
        ["a", "b"].map((id) => planned(id)),
      )
    ).decisions,
    ["unreadable", "keep"],
  );
});

test("NaN of Python writers and what an attempt was just writing cost nothing", async () => {
  using root = temporaryDirectory();
  const text = serializeTaskResult(sampleResult({ task_id: "nan" }));
  put(root.path, "default/nan/00/task.json", text.replace('"duration_seconds": 1.5', '"duration_seconds": NaN'));
  put(root.path, "default/half/00/task.json.tmp", text.slice(0, 100));
  put(root.path, "default/half/00/task.json.previous", text);
  const { decisions, setAside } = await divide(
    root.path,
    ["nan", "half"].map((id) => planned(id)),
  );
  assert.deepEqual(decisions, ["keep", "missing"]);
  assert.deepEqual(setAside, []);
});

test("nothing is touched before what was decided is approved, and nothing at all when it is not", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "fine");
  putResult(root.path, "stale");
  putResult(root.path, "other", {}, "default/misplaced/00");
  put(root.path, "default/unreadable/00/task.json", "{");
  put(root.path, "default/file", "in the way");
  const files = (): string[] => readdirSync(root.path, { recursive: true, encoding: "utf8" }).sort();
  const before = files();
  const rows = ["fine", "stale", "misplaced", "unreadable", "file", "new"].map((id) => planned(id));
  const isStale = (index: number): boolean => index === 1;
  await assert.rejects(
    divide(root.path, rows, {
      isStale,
      async approve(decisions) {
        assert.deepEqual(
          decisions.map((decision) => (decision.kind === "keep" ? "keep" : decision.reason)),
          ["keep", "drift", "missing", "unreadable", "missing", "missing"],
        );
        throw new Error("no");
      },
    }),
    /^Error: no$/,
  );
  assert.deepEqual(files(), before);
  const { setAside } = await divide(root.path, rows, { isStale });
  assert.deepEqual(
    setAside.map((line) => line.replace(/:.*->/, " ->")),
    [
      "default/file -> default/file.unused",
      "default/misplaced/00/task.json -> default/misplaced/00/task.json.misplaced",
      "default/unreadable/00/task.json -> default/unreadable/00/task.json.unreadable",
    ],
  );
});
