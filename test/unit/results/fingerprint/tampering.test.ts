import assert from "node:assert/strict";
import test from "node:test";
import { isObject } from "../../../../src/results/any-object.ts";
import { compareFingerprints } from "../../../../src/results/fingerprint/compare-fingerprints.ts";
import { type Fingerprint, stampDigestOf } from "../../../../src/results/fingerprint/fingerprint.ts";
import { fingerprintWith, keyOf, parsed, rowOf, stampOf, textOf } from "./stamps.ts";

// A guard that never fires looks like one that has nothing to report. Each value of the file is changed in turn, and somebody notices.

const rows = [
  rowOf("a", stampOf({ "agent.model": "m", "run_limits.max_turns": 20 }, { initial_prompt: "p", "folder app": "f" })),
  rowOf("b"),
];
const honest = fingerprintWith({ rows, folders: { app: { "a.py": "1" } } });

type Path = readonly (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => leaves(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key])) : [path];
}

function changedAt(value: unknown, path: Path): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}-changed`;
  if (Array.isArray(value)) return value.map((item, index) => (index === step ? changedAt(item, rest) : item));
  return isObject(value) ? { ...value, [step]: changedAt(value[step], rest) } : value;
}

/** By a comparison, by rows that are missing, or by a digest that is not the one in `task.json`. */
function isNoticed(prior: Fingerprint): boolean {
  const there = compareFingerprints(prior, honest);
  const back = compareFingerprints(honest, prior);
  const digestsDiffer = ["a", "b"].some((id) => stampDigestOf(prior, keyOf(id)) !== stampDigestOf(honest, keyOf(id)));
  return (there.entries.length > 0 && back.entries.length > 0) || there.comparedRows < rows.length || digestsDiffer;
}

/** Who set a value changes no result; lists of files serve to tell what changed in a folder whose digest says that something did. */
const unimportant = /^(?:settings\.\d+\.[^.]+(?:\.[^.]+)?\.(?:source|detail)|folders\.)/;

test("every value of the file that matters is missed or told when it is another one", () => {
  const written: unknown = JSON.parse(textOf(honest));
  assert.ok(isObject(written));
  const own = written.evalbatch;
  const paths = leaves(own).filter((path) => !unimportant.test(path.join(".")));
  assert.ok(paths.length > 15);
  assert.equal(isNoticed(parsed(JSON.stringify(written))), false);
  for (const path of paths) {
    const tampered = parsed(JSON.stringify({ ...written, evalbatch: changedAt(own, path) }));
    assert.equal(isNoticed(tampered), true, path.join("."));
  }
});

test("so is every key of the run", () => {
  const written: unknown = JSON.parse(textOf(honest));
  assert.ok(isObject(written));
  for (const key of Object.keys(honest.run)) {
    assert.equal(isNoticed(parsed(JSON.stringify({ ...written, [key]: changedAt(written[key], []) }))), true, key);
  }
});
