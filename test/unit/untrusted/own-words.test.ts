import assert from "node:assert/strict";
import test from "node:test";
import { finalStatuses } from "../../../src/results/final-status.ts";
import { fileNames } from "../../../src/results/layout.ts";
import { verdicts } from "../../../src/results/run-summary-schema.ts";
import { manifestName } from "../../../src/untrusted/files/manifest.ts";
import { createRedactor } from "../../../src/untrusted/redact.ts";

test("a word that our files are made of is never hidden, whoever calls it a secret", () => {
  const words = [...finalStatuses, ...verdicts, ...Object.values(fileNames), manifestName, "default", "evalbatch", "skipped", "status"];
  for (const word of words) {
    assert.deepEqual(createRedactor([word, ` ${word}\n`, `{"password": "${word}"}`]).redact(`a ${word} b`), {
      text: `a ${word} b`,
      count: 0,
    });
  }
});

test("a secret that only begins like one of them is hidden", () => {
  for (const secret of ["default1", "SUCCESS!", "x-failed", "Default"]) assert.equal(createRedactor([secret]).redact(secret).text, "***");
});
