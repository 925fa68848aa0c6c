import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import test from "node:test";
import { parse } from "yaml";
import { z } from "zod";
import { commentFileText } from "../../../src/github/comment-file.ts";
import { attempt, summaryOf } from "../report/overview-builders.ts";
import { root } from "./source-files.ts";

const workflow = z.looseObject({
  jobs: z.looseObject({ comment: z.looseObject({ steps: z.tuple([z.looseObject({ run: z.string() })]) }) }),
});
const { jobs } = workflow.parse(parse(readFileSync(join(root, "examples/workflows/comment-on-forks.yml"), "utf8")));
const script = jobs.comment.steps[0].run;

const hasJq = spawnSync("jq", ["--version"]).status === 0 && spawnSync("bash", ["--version"]).status === 0;
const skip = hasJq ? false : "no jq or no bash";

/** Answers as the GitHub CLI does where the script asks, and writes down what it is told to write. */
const gh = `#!/bin/bash
case "$1 $2 $3" in
  'run download '*) [ -e "$FAKE/artifact" ] && cp -r "$FAKE/artifact/." . ;;
  'api repos/octo-org/evals/pulls/7 '*) echo "$FAKE_HEAD" ;;
  'api --paginate '*) cat "$FAKE/ids" ;;
  'api --silent '*) { echo "$@"; cat; } >>"$FAKE/written" ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac
`;

const head = "0123456789012345678901234567890123456789";
const place = { repository: "octo-org/evals", number: 7, headSha: head, runId: "1", runAttempt: 1, key: "k" };
const good = commentFileText(place, summaryOf([attempt("a"), attempt("b", { final_status: "FAILURE" })]));

interface Setting {
  /** Text of the artifact's comment.json; undefined: there is no artifact. */
  readonly file?: string | undefined;
  /** What the pull request's head is by now. */
  readonly head?: string;
  /** Ids of our comments on it. */
  readonly ids?: string;
}

function post(setting: Setting) {
  const fake = mkdtempSync(join(tmpdir(), "evalbatch-forks-"));
  try {
    mkdirSync(join(fake, "bin"));
    writeFileSync(join(fake, "bin/gh"), gh, { mode: 0o755 });
    writeFileSync(join(fake, "ids"), setting.ids ?? "");
    writeFileSync(join(fake, "written"), "");
    if (setting.file !== undefined) {
      mkdirSync(join(fake, "artifact/evalbatch-evals-1"), { recursive: true });
      writeFileSync(join(fake, "artifact/evalbatch-evals-1/comment.json"), setting.file);
    }
    const env = {
      PATH: [join(fake, "bin"), process.env.PATH].join(delimiter),
      TMPDIR: fake,
      FAKE: fake,
      FAKE_HEAD: setting.head ?? head,
      GH_REPO: "octo-org/evals",
      RUN_ID: "1",
      RUN_URL: "https://github.com/octo-org/evals/actions/runs/1",
      HEAD_SHA: head,
    };
    // As the runner starts a step's script.
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], { env, encoding: "utf8" });
    return { status, log: stdout + stderr, written: readFileSync(join(fake, "written"), "utf8") };
  } finally {
    rmSync(fake, { recursive: true });
  }
}

const text = `<!-- evals of a fork -->
Evals: failed, 1 of 2 tasks passed. [All results](https://github.com/octo-org/evals/actions/runs/1)
`;

test("the numbers of a fork's run become a comment, and the next run changes that one", { skip }, () => {
  const first = post({ file: good });
  assert.deepEqual(
    [first.status, first.written],
    [0, `api --silent repos/octo-org/evals/issues/7/comments --field body=@-\n${text}`],
    first.log,
  );
  const next = post({ file: good, ids: "31\n32\n" });
  const patch = "api --silent --method PATCH repos/octo-org/evals/issues/comments/31 --field body=@-";
  assert.deepEqual([next.status, next.written], [0, `${patch}\n${text}`], next.log);
});

test("a pull request that has another commit, or never had this one, gets no comment", { skip }, () => {
  const end = post({ file: good, head: "f".repeat(40) });
  assert.deepEqual([end.status, end.written], [0, ""], end.log);
});

test("a run without an artifact, as when it had no secrets, is nothing to comment on", { skip }, () => {
  const end = post({});
  assert.deepEqual([end.status, end.written], [0, ""], end.log);
});

test("whatever else stands in the file, nothing of it is written", { skip }, () => {
  const bad: readonly object[] = [
    { verdict: "passed](http://evil.example)" },
    { verdict: null },
    { pull_request: "7/../8" },
    { pull_request: "7; echo owned" },
    { pull_request: 7.5 },
    { pull_request: -7 },
    { tasks_succeeded: "@team" },
    { tasks_planned: [1] },
    { tasks_planned: 1e300 },
  ];
  for (const change of bad) {
    const end = post({ file: JSON.stringify({ ...z.looseObject({}).parse(JSON.parse(good)), ...change }) });
    assert.notEqual(end.status, 0, JSON.stringify(change));
    assert.equal(end.written, "", JSON.stringify(change));
  }
  for (const file of [
    "",
    "not json",
    "[]",
    "{}",
    `${good}${good.replace("failed", "passed](http://evil.example)")}`,
    " ".repeat(20_000) + good,
  ]) {
    assert.equal(post({ file }).written, "", file.slice(0, 50));
  }
});
