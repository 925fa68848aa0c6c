import assert from "node:assert/strict";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { makeRunDir } from "../../../src/commands/run-dir.ts";
import { InputError } from "../../../src/errors.ts";
import { temporaryDirectory } from "../results/fixtures.ts";

const options = (cwd: string) => ({ cwd, env: {}, now: new Date(2026, 0, 2, 3, 4, 5), resultDirs: ["default/x/00", "b/x/00"] });

const refusal = async (cwd: string): Promise<string> => {
  try {
    await makeRunDir("out", options(cwd));
    return "";
  } catch (error) {
    assert.ok(error instanceof InputError);
    return error.message;
  }
};

test("a run directory may have files of others in it, and is made where there is none", async () => {
  using place = temporaryDirectory();
  assert.equal(await refusal(place.path), "");
  mkdirSync(join(place.path, "out/src"));
  assert.equal(await refusal(place.path), "");
});

test("a run directory that holds a run, or a link in the place of one of its files, is refused", async () => {
  for (const name of ["run.json", "plan.json"]) {
    using place = temporaryDirectory();
    mkdirSync(join(place.path, "out"));
    symlinkSync("../nowhere", join(place.path, "out", name));
    assert.match(await refusal(place.path), new RegExp(`already holds a run \\(${name}\\)`));
    assert.equal(existsSync(join(place.path, "nowhere")), false);
  }
});

test("what lies where the results are to lie is refused: results that nobody ran, or a link to another place", async () => {
  using brought = temporaryDirectory();
  mkdirSync(join(brought.path, "out/default/a/00"), { recursive: true });
  writeFileSync(join(brought.path, "out/default/a/00/task.json"), "{}");
  assert.match(await refusal(brought.path), /\(default\)/);
  using linked = temporaryDirectory();
  mkdirSync(join(linked.path, "out"));
  mkdirSync(join(linked.path, "elsewhere"));
  symlinkSync("../elsewhere", join(linked.path, "out/b"));
  assert.match(await refusal(linked.path), /\(b\)/);
});

test("~ is the home directory, and the directory is made before anything runs", async () => {
  using place = temporaryDirectory();
  const home = join(place.path, "home");
  const env = { HOME: home };
  const { path } = await makeRunDir("~/out", { ...options(place.path), env });
  assert.deepEqual([path, existsSync(path)], [join(home, "out"), true]);
  const { path: stamped } = await makeRunDir(undefined, { ...options(place.path), env: { ...env, RUNS_DIR: "~/runs" } });
  assert.equal(stamped, join(home, "runs/2026-01-02_03-04-05"));
  assert.equal((await makeRunDir("~x", { ...options(place.path), env })).path, join(place.path, "~x"));
  assert.equal((await makeRunDir("~/out", options(place.path))).path, join(place.path, "~/out"));
});

test("a run is called what its directory is called, also where a link such as latest names it", async () => {
  using place = temporaryDirectory();
  mkdirSync(join(place.path, "2026"));
  symlinkSync("2026", join(place.path, "latest"));
  for (const given of ["latest", "latest/", "./x/../latest"]) {
    assert.deepEqual(await makeRunDir(given, options(place.path)), { path: join(place.path, "2026"), runId: "2026" });
  }
});

test("what is no directory is named as what it is", async () => {
  using place = temporaryDirectory();
  writeFileSync(join(place.path, "out"), "");
  assert.match(await refusal(place.path), /out is a file$/);
  using other = temporaryDirectory();
  symlinkSync("nowhere", join(other.path, "out"));
  assert.match(await refusal(other.path), /out is a link that leads nowhere$/);
});
