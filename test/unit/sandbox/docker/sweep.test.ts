import assert from "node:assert/strict";
import test from "node:test";
import { labelNames, parseOwner, stampLabels } from "../../../../src/sandbox/docker/labels.ts";
import { currentOwner, ownerState } from "../../../../src/sandbox/docker/owner.ts";
import { isLeftover } from "../../../../src/sandbox/docker/sweep.ts";

const self = currentOwner();
const nowMs = Date.parse("2026-01-01T00:00:00Z");
const future = nowMs / 1000 + 1000;
const stamp = (owner = self, expiresAt = future, runId = "other") => stampLabels({ runId, key: "default/t/00", expiresAt, owner });
const dead = { ...self, pid: 2 ** 30 };

test("an owner survives the way through a label", () => {
  assert.deepEqual(parseOwner(stamp()[labelNames.owner]), self);
  for (const text of [undefined, "", "[]", "{}", '["h","b","n",-1,"s"]', '["h","b","n","1","s"]', "[1,2,3,4,5]"])
    assert.equal(parseOwner(text), undefined);
});

test("a living owner of this machine is alive, a gone or reused pid is dead, and another machine is unknown", () => {
  assert.equal(ownerState(self, self), "alive");
  assert.equal(ownerState(dead, self), "dead");
  assert.equal(ownerState({ ...self, startedAt: "1" }, self), "dead");
  assert.equal(ownerState({ ...self, boot: "an earlier one" }, self), "dead");
  assert.equal(ownerState({ ...dead, host: "elsewhere" }, self), "unknown");
  assert.equal(ownerState({ ...dead, pidNamespace: "another container" }, self), "unknown");
});

test("rubbish is what is expired or whose owner is dead, never what is ours or nobody's", () => {
  const rows: readonly [Record<string, string>, boolean][] = [
    [stamp(), false],
    [stamp(dead), true],
    [stamp(dead, future, "mine"), false],
    [stamp(self, nowMs / 1000 - 1), true],
    [stamp({ ...dead, host: "elsewhere" }), false],
    [stamp({ ...dead, host: "elsewhere" }, nowMs / 1000 - 1), true],
    [{}, false],
    [{ unrelated: "1" }, false],
    [{ [labelNames.run]: "other" }, false],
    [{ [labelNames.run]: "other", [labelNames.expires]: "never" }, false],
  ];
  for (const [labels, expected] of rows) assert.equal(isLeftover(labels, self, "mine", nowMs), expected, JSON.stringify(labels));
});
