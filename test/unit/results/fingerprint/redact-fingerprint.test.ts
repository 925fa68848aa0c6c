import assert from "node:assert/strict";
import test from "node:test";
import { buildFingerprint } from "../../../../src/results/fingerprint/build-fingerprint.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { fingerprintChunks } from "../../../../src/results/fingerprint/fingerprint-text.ts";
import { redactFingerprint } from "../../../../src/results/fingerprint/redact-fingerprint.ts";

const secret = "hunter2hunter2";
const redact = (text: string): string => text.replaceAll(secret, "***");

/** A stamp of an execution to which the secret was a text like any other. */
const made = (text: string) =>
  buildFingerprint({
    run: { experiment_id: text, overrides: { "agent.command": [text] } },
    rows: ["a", "b"].map((taskId, replicateIndex) => ({
      variantId: "default",
      taskId,
      replicateIndex,
      stamp: {
        digest: "d",
        settings: { "agent.command": { value: [{ run: text }], source: "cli", detail: text } },
        content: { [`folder ${text}`]: "f" },
      },
    })),
    environment: { tool: text },
    folders: { [`folder ${text}`]: { [text]: "x" } },
  });

test("a secret that is known only now is hidden in the stamp of an earlier execution, and makes no difference of its own", () => {
  const hidden = redactFingerprint(made(secret), redact);
  assert.doesNotMatch([...fingerprintChunks(hidden)].join(""), /hunter2/);
  assert.deepEqual(hidden, made("***"));
  const { entries, changedRows } = compareFingerprints(hidden, made("***"));
  assert.deepEqual([entries, changedRows.size], [[], 0]);
});

test("what rows share they still share, and a stamp of coder_eval has no part of ours", () => {
  const { own } = redactFingerprint(made(secret), redact);
  const rows = [...(own?.rows.values() ?? [])];
  assert.equal(new Set(rows.map(({ madeIn }) => madeIn)).size, 1);
  assert.equal(rows[0]?.madeIn, own?.madeIn);
  assert.equal(rows[0]?.stamp.settings, rows[1]?.stamp.settings);
  assert.deepEqual(redactFingerprint({ run: { experiment_id: secret }, own: undefined }, redact), {
    run: { experiment_id: "***" },
    own: undefined,
  });
});
