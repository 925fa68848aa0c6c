import assert from "node:assert/strict";
import test from "node:test";
import { type NothingLeft, noTasks } from "../../../src/plan/no-tasks.ts";

const told = (more: Partial<NothingLeft>) => {
  const { message, hint } = noTasks({ files: 3, skipped: 0, tags: [], excludeTags: [], seenTags: new Set(["smoke"]), ...more });
  return `${message} / ${hint}`;
};

test("nothing to run is told with what was found and with everything that would change it", () => {
  assert.equal(told({ files: 1 }), "there is no task to run: 1 file found / allow it with allow-empty");
  assert.equal(
    told({ skipped: 3 }),
    "there is no task to run: 3 files found, 3 with skip: true / run those with skip: true by include-skipped, or allow it with allow-empty",
  );
  assert.equal(
    told({ skipped: 2, excludeTags: ["smoke"] }),
    "there is no task to run: 3 files found, 2 with skip: true, the tag filter leaves none of the rest / " +
      "check the options tags and exclude-tags, run those with skip: true by include-skipped, or allow it with allow-empty",
  );
});

test("a wanted tag that resembles one of the tasks' is told first", () => {
  assert.match(told({ tags: ["smoek"] }), /no task has the tag 'smoek'; did you mean 'smoke'\?$/);
  assert.match(told({ tags: ["other"] }), /check the options/);
});
