import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { InterruptedError } from "../../../../src/errors.ts";
import { finalStatuses } from "../../../../src/results/final-status.ts";
import { readAttemptsFile } from "../../../../src/results/resume/attempts-file.ts";
import { beginAttempt } from "../../../../src/results/resume/begin-attempt.ts";
import { serializeTaskResult } from "../../../../src/results/serialize-task-result.ts";
import { put, sampleResult, temporaryDirectory } from "../fixtures.ts";
import { attemptFacts, divide, planned, putResult } from "./planned.ts";

test("a row with a result is kept, whatever its status, one without runs", async () => {
  using root = temporaryDirectory();
  const rows = finalStatuses.map((status) => planned(status.toLowerCase()));
  for (const status of finalStatuses) putResult(root.path, status.toLowerCase(), { final_status: status, error_message: "why" });
  const { decisions, setAside, kept } = await divide(root.path, [...rows, planned("absent")]);
  assert.deepEqual(
    decisions,
    [...finalStatuses, "absent"].map((status) => (status === "NOT_GRADED" ? "not graded*" : status === "absent" ? "missing" : "keep")),
  );
  assert.deepEqual(setAside, []);
  assert.deepEqual(
    kept,
    finalStatuses.flatMap((status, index) => (status === "NOT_GRADED" ? [] : [`${index}:${status.toLowerCase()}`])),
  );
});

test("errors and failures run again where that is asked for, and their old results stay until then", async () => {
  using root = temporaryDirectory();
  const rows = finalStatuses.map((status) => planned(status));
  for (const status of finalStatuses) putResult(root.path, status, { final_status: status, error_message: "why" });
  const again = async (retry: "errors" | "failed") => {
    const { decisions } = await divide(root.path, rows, { retry });
    return Object.fromEntries(decisions.map((decision, index) => [finalStatuses[index], decision]));
  };
  const errors = { ERROR: "error*", BUILD_FAILED: "error*", NOT_GRADED: "not graded*" };
  const kept = Object.fromEntries(finalStatuses.map((status) => [status, "keep"]));
  assert.deepEqual(await again("errors"), { ...kept, ...errors });
  const misses = ["FAILURE", "TIMEOUT", "MAX_TURNS_EXHAUSTED", "TOKEN_BUDGET_EXCEEDED", "COST_BUDGET_EXCEEDED"];
  const failed = Object.fromEntries(misses.map((status) => [status, "failed*"]));
  assert.deepEqual(await again("failed"), { ...kept, ...errors, ...failed });
  for (const status of finalStatuses) assert.ok(existsSync(join(root.path, `default/${status}/00/task.json`)), status);
});

test("an attempt that was cut short is not final: neither our record of it nor the trace of a Ctrl-C in coder_eval", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "theirs", { final_status: "FAILURE", weighted_score: 0 });
  putResult(root.path, "theirs-too", { final_status: "FAILURE", weighted_score: null });
  putResult(root.path, "ours", { final_status: "ERROR", evalbatch: attemptFacts({ cut_short: "engine lost" }) });
  const graded = { criterion_type: "file_exists", description: "d", score: 0, pass_threshold: 1 };
  put(
    root.path,
    "default/graded/00/task.json",
    JSON.stringify({
      ...sampleResult({ task_id: "graded", final_status: "FAILURE", weighted_score: 0 }),
      success_criteria_results: [graded],
    }),
  );
  putResult(root.path, "explained", { final_status: "FAILURE", weighted_score: 0, error_message: "no" });
  putResult(root.path, "of-ours", { final_status: "FAILURE", weighted_score: 0, evalbatch: attemptFacts() });
  const rows = ["theirs", "theirs-too", "ours", "graded", "explained", "of-ours"].map((id) => planned(id));
  assert.deepEqual((await divide(root.path, rows)).decisions, ["interrupted*", "interrupted*", "interrupted*", "keep", "keep", "keep"]);
});

test("an attempt that began and left no result was interrupted; so was one of coder_eval that left its log", async () => {
  using root = temporaryDirectory();
  await beginAttempt(join(root.path, "default/ours/00"), new Date(0));
  put(root.path, "default/theirs/00/task.log", "began");
  mkdirSync(join(root.path, "default/empty/00"), { recursive: true });
  const { decisions, warnings } = await divide(
    root.path,
    ["ours", "theirs", "empty"].map((id) => planned(id)),
  );
  assert.deepEqual(decisions, ["interrupted", "interrupted", "missing"]);
  assert.deepEqual(warnings, []);
});

test("a row that is started again and again without an end is named", async () => {
  using root = temporaryDirectory();
  const dir = join(root.path, "default/bad/00");
  for (let start = 1; start <= 3; start += 1) {
    assert.deepEqual((await divide(root.path, [planned("bad")])).warnings, []);
    await beginAttempt(dir, new Date(0));
  }
  const { decisions, warnings } = await divide(root.path, [planned("bad")]);
  assert.deepEqual(decisions, ["interrupted"]);
  assert.match(warnings.join(), /^default\/bad\/00 was started 3 times and never came to an end/);
  // An engine that is lost each time leaves results, and is as bad.
  const earlier = (await beginAttempt(dir, new Date(0))).earlier;
  putResult(root.path, "bad", {
    final_status: "ERROR",
    evalbatch: attemptFacts({ attempt: 4, earlier_attempts: [...earlier], cut_short: "engine lost" }),
  });
  assert.match((await divide(root.path, [planned("bad")])).warnings.join(), /^default\/bad\/00 was started 4 times/);
  // Once it came to an end, it does not count any more what was before.
  putResult(root.path, "bad", { final_status: "ERROR", evalbatch: attemptFacts({ attempt: 4, earlier_attempts: [...earlier] }) });
  assert.deepEqual((await divide(root.path, [planned("bad")], { retry: "errors" })).warnings, []);
});

test("a stale result is cleared away at once, so that it never counts for what its row is now", async () => {
  using root = temporaryDirectory();
  for (const id of ["a", "b", "c"]) putResult(root.path, id, id === "c" ? { final_status: "NOT_GRADED" } : {});
  put(root.path, "default/b/00/artifacts/b/old.txt", "old");
  const asked: string[] = [];
  const { decisions, setAside, kept } = await divide(
    root.path,
    ["a", "b", "c"].map((id) => planned(id)),
    {
      isStale: (index, result) => {
        asked.push(`${index}:${result.task_id}`);
        return result.task_id !== "a";
      },
    },
  );
  assert.deepEqual(asked, ["0:a", "1:b", "2:c"]);
  assert.deepEqual(decisions, ["keep", "drift", "not graded"]);
  assert.deepEqual(kept, ["0:a"]);
  assert.deepEqual(setAside, []);
  assert.deepEqual(readdirSync(join(root.path, "default/b/00")).sort(), ["attempts.json", "task.json.previous"]);
  assert.deepEqual(
    (await readAttemptsFile(join(root.path, "default/b/00")))?.earlier.map(({ status }) => status),
    ["SUCCESS"],
  );
  assert.deepEqual(
    (
      await divide(
        root.path,
        ["a", "b", "c"].map((id) => planned(id)),
      )
    ).decisions,
    ["keep", "missing", "missing"],
  );
});

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

test("a result at the place of another row is no result of that place", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "b", {}, "default/a/00");
  putResult(root.path, "c", { variant_id: "other" });
  putResult(root.path, "d", { evalbatch: attemptFacts({ replicate_index: 1 }) });
  const rows = ["a", "b", "c", "d"].map((id) => planned(id));
  const { decisions, setAside, kept } = await divide(root.path, rows);
  assert.deepEqual(decisions, ["missing", "missing", "missing", "missing"]);
  assert.deepEqual(kept, []);
  assert.deepEqual(setAside, [
    "default/a/00/task.json: it is the result of another row: default/b -> default/a/00/task.json.misplaced",
    "default/c/00/task.json: it is the result of another row: other/c -> default/c/00/task.json.misplaced",
    "default/d/00/task.json: it is the result of another row: default/d, replicate 1 -> default/d/00/task.json.misplaced",
  ]);
  assert.equal((await beginAttempt(join(root.path, "default/a/00"), new Date(0))).attempt, 1);
});

test("a result elsewhere is used for a planned row that has none, and stays where it is", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "suite/row 1", {}, "default/suite_row-1/00");
  putResult(root.path, "r", {}, "other/place/03");
  const { decisions, setAside, kept } = await divide(root.path, [planned("suite/row 1"), planned("r", 3), planned("r", 0)]);
  assert.deepEqual(decisions, ["keep", "keep", "missing"]);
  assert.deepEqual(kept, ["0:suite/row 1", "1:r"]);
  assert.deepEqual(setAside, []);
});

test("of several results of one row the newest counts and the others are listed", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a", { evalbatch: attemptFacts({ attempt: 1 }), duration_seconds: 1 });
  putResult(root.path, "a", { evalbatch: attemptFacts({ attempt: 2 }), final_status: "FAILURE" }, "default/a-copy/00");
  putResult(root.path, "b");
  putResult(root.path, "b", {}, "default/b-copy/00");
  const rows = [planned("a"), planned("b")];
  const { decisions, setAside } = await divide(root.path, rows);
  assert.deepEqual(decisions, ["keep", "keep"]);
  assert.deepEqual(setAside, [
    "default/a/00/task.json: the same row stands in default/a-copy/00/task.json",
    "default/b-copy/00/task.json: the same row stands in default/b/00/task.json",
  ]);
  // Before it runs again it takes the place of its row, so that the next attempt goes on counting from it.
  const again = await divide(root.path, rows, { retry: "failed" });
  assert.deepEqual(again.decisions, ["failed*", "keep"]);
  assert.deepEqual(again.setAside, [
    "default/a/00/task.json: the same row stands in default/a-copy/00/task.json -> default/a/00/task.json.unused",
    "default/b-copy/00/task.json: the same row stands in default/b/00/task.json",
  ]);
  const { attempt, earlier } = await beginAttempt(join(root.path, "default/a/00"), new Date(0));
  assert.deepEqual([attempt, earlier.map(({ status }) => status)], [3, ["FAILURE"]]);
});

test("results that the plan does not have are listed and left alone, readable or not", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "gone");
  put(root.path, "default/broken/00/task.json", "{");
  put(root.path, "task.json", "[]");
  mkdirSync(join(root.path, "default/linked/00"), { recursive: true });
  symlinkSync(join(root.path, "default/a/00/task.json"), join(root.path, "default/linked/00/task.json"));
  const { decisions, setAside } = await divide(root.path, [planned("a")]);
  assert.deepEqual(decisions, ["keep"]);
  assert.equal(setAside.length, 4);
  assert.match(setAside[0] ?? "", /^default\/broken\/00\/task\.json: not valid JSON/);
  assert.deepEqual(setAside.slice(1), [
    "default/gone/00/task.json: not part of the plan",
    "default/linked/00/task.json: not a regular file",
    "task.json: expected an object, found a list",
  ]);
  assert.equal(readFileSync(join(root.path, "default/broken/00/task.json"), "utf8"), "{");
});

test("files of agents and runs inside the run directory never count", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a");
  putResult(root.path, "b", {}, "default/a/00/artifacts/a");
  putResult(root.path, "b", {}, "nested/default/b/00");
  put(root.path, "nested/run.json", "{}");
  const { decisions, setAside, warnings } = await divide(root.path, [planned("a"), planned("b")]);
  assert.deepEqual(decisions, ["keep", "missing"]);
  assert.deepEqual(setAside, []);
  assert.deepEqual(warnings, ["nested is a run of its own and was left out"]);
});

test("links, files and other runs where results go are moved out of the way, never followed", async () => {
  using root = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  putResult(elsewhere.path, "a", {}, "a/00");
  put(root.path, "default/keep/00/x", "");
  symlinkSync(join(elsewhere.path, "a"), join(root.path, "default/a"));
  put(root.path, "default/b", "a file");
  putResult(root.path, "t", { variant_id: "v" }, "v/t/00");
  put(root.path, "v/run.json", "{}");
  const { decisions, setAside } = await divide(root.path, [planned("a"), planned("b"), planned("t", 0, "v")]);
  assert.deepEqual(decisions, ["missing", "missing", "missing"]);
  assert.deepEqual(setAside, [
    "default/a: a link, which is not followed -> default/a.unused",
    "default/b: no directory, though results go there -> default/b.unused",
    "v: a run of its own -> v.unused",
  ]);
  for (const [variant, task] of [
    ["default", "a"],
    ["default", "b"],
    ["v", "t"],
  ])
    await beginAttempt(join(root.path, `${variant}/${task}/00`), new Date(0));
  assert.deepEqual(readdirSync(join(elsewhere.path, "a/00")), ["task.json"]);
});

test("a task may be called like a file of ours", async () => {
  using root = temporaryDirectory();
  const ids = ["run.json", "task.json", "attempts.json", "artifacts", "suite/run.json"];
  for (const id of ids) putResult(root.path, id);
  const { decisions, setAside } = await divide(
    root.path,
    ids.map((id) => planned(id)),
  );
  assert.deepEqual(
    decisions,
    ids.map(() => "keep"),
  );
  assert.deepEqual(setAside, []);
});

test("a plan without rows and a directory without files are divided too", async () => {
  using root = temporaryDirectory();
  assert.deepEqual(await divide(root.path, []), { decisions: [], setAside: [], warnings: [], kept: [] });
  putResult(root.path, "a");
  assert.deepEqual((await divide(root.path, [])).setAside, ["default/a/00/task.json: not part of the plan"]);
});

test("a run is resumed after its directory was moved", async () => {
  using root = temporaryDirectory();
  putResult(root.path, "a", {}, "old/default/a/00");
  renameSync(join(root.path, "old"), join(root.path, "new"));
  assert.deepEqual((await divide(join(root.path, "new"), [planned("a")])).decisions, ["keep"]);
});

test("a stop while results are read ends it at once", async () => {
  using root = temporaryDirectory();
  const rows = Array.from({ length: 5 }, (_, index) => planned(`t${index}`));
  for (const row of rows) putResult(root.path, row.taskId);
  const stop = new AbortController();
  const kept: number[] = [];
  const onKept = (index: number): void => {
    kept.push(index);
    if (index === 2) stop.abort();
  };
  await assert.rejects(divide(root.path, rows, { onKept, signal: stop.signal }), InterruptedError);
  assert.deepEqual(kept, [0, 1, 2]);
});
