import assert from "node:assert/strict";
import { test } from "node:test";
import { logExcerpt } from "../../../src/results/log-excerpt.ts";

const log = (lines: readonly string[]) => `${lines.map((line) => `2026-05-04 10:00:00 ${line}`).join("\n")}\n`;

test("an excerpt shows what was printed and by whom, without times and without our bookkeeping", () => {
  const text = log([
    "[INFO] evalbatch: [sandbox] tempdir sandbox of default/a/00: /tmp/x/work",
    "[INFO] evalbatch: [sandbox] container evalbatch-1 of image busybox (sha256:0123456) started",
    "[INFO] evalbatch: applying 1 template source",
    "[INFO] evalbatch: [setup] template x: left out y: not a regular file",
    "[INFO] evalbatch: running pre_run command: make",
    "[INFO] evalbatch: [pre_run stderr] no rule",
    "[INFO] evalbatch: [agent stdout] hello",
    "[INFO] evalbatch: [agent stdout] ",
    "[INFO] evalbatch: [agent stderr]   indented",
    "[INFO] evalbatch: [criterion] file_exists 'x': 0.00",
    "[INFO] evalbatch: criteria: 0/1 passed, weighted score 0.000",
    "[INFO] evalbatch: running post_run command: rm -rf x",
    "[WARNING] evalbatch: the disk is nearly full",
    "[INFO] evalbatch: [left out] .venv: excluded",
    "[ERROR] evalbatch: it broke",
    "[INFO] evalbatch: task finished: error, 0.2 s",
  ]);
  assert.equal(
    logExcerpt(text, 1000, "it broke"),
    [
      "setup | template x: left out y: not a regular file",
      "pre_run $ make",
      "pre_run | no rule",
      "agent | hello",
      "agent |",
      "agent |   indented",
      "warning: the disk is nearly full",
    ].join("\n"),
  );
  assert.match(logExcerpt(text, 1000), /\nerror: it broke$/);
});

test("an excerpt is the end of what is shown, and empty where nothing is", () => {
  const text = log([
    "[INFO] evalbatch: [agent stdout] one",
    "[INFO] evalbatch: [agent stdout] two",
    "[INFO] evalbatch: kept 0 files, 0 bytes",
  ]);
  assert.equal(logExcerpt(text, 12), "agent | two");
  assert.equal(logExcerpt(log(["[INFO] evalbatch: kept 0 files, 0 bytes"]), 1000), "");
});

test("lines of an image build and of other writers stay as they are", () => {
  const text = "#5 RUN make\n#5 ERROR: exit code 2\n2026-05-04 10:00:00 [INFO] coder_eval.runner: done";
  assert.equal(logExcerpt(text, 1000), text);
});
