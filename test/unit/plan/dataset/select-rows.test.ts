import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { selectRows } from "../../../../src/plan/dataset/select-rows.ts";
import type { Sampling } from "../../../../src/plan/plan-options.ts";
import type { Dataset } from "../../../../src/plan/schema/task-schema.ts";
import { datasetTask, expand, idsOf, jsonl } from "./expand-task.ts";

// 30 rows of three strata and of none.
const rows = Array.from({ length: 30 }, (_, index) => {
  const id = `r${String(index).padStart(2, "0")}`;
  const skill = ["alpha", "beta", "", "alpha", undefined][index % 5];
  return skill === undefined ? { id } : { id, expected_skill: skill };
});
const select = async (dataset: string, sampling: Partial<Sampling> = {}) =>
  expand(datasetTask(`{paths: [r.jsonl]${dataset}}`), { files: { "tasks/r.jsonl": jsonl(rows) }, sampling });
const facts = async (...args: Parameters<typeof select>) => {
  const expanded = await select(...args);
  assert.ok(expanded.kind === "rows");
  return expanded.facts;
};

test("without a wish all rows run", async () => {
  assert.equal(idsOf(await select("")).length, 30);
  assert.deepEqual(await facts(""), { suiteId: "t", rowsTotal: 30, rowsSelected: 30, mode: "all", seed: null, limit: null, strata: null });
});

test("--sample takes that many rows, in the file's order and always the same ones", async () => {
  const ids = idsOf(await select("", { sample: 5 }));
  assert.equal(ids.length, 5);
  assert.deepEqual(ids, ids.toSorted());
  assert.deepEqual(idsOf(await select("", { sample: 5, runSeed: "another run" })), ids);
  assert.deepEqual(idsOf(await select(", sample_seed: 7", { sample: 5 })), ids);
  assert.notDeepEqual(idsOf(await select("", { sample: 5, sampleSeed: "1" })), ids);
  const fact = { suiteId: "t", rowsTotal: 30, rowsSelected: 5, mode: "sample", seed: "0", limit: 5, strata: null };
  assert.deepEqual(await facts("", { sample: 5 }), fact);
  assert.deepEqual(await facts("", { sample: 5, sampleSeed: "1" }), { ...fact, seed: "1" });
});

test("--sample switches strata off, also where all rows fit", async () => {
  for (const sample of [5, 30, 99]) {
    const fact = await facts(", sample_per_stratum: 1", { sample, samplePerStratum: 1 });
    assert.deepEqual([fact.mode, fact.rowsSelected, fact.limit], ["sample", Math.min(sample, 30), sample]);
  }
});

test("sample_per_stratum takes that many rows of each stratum; rows without the field are the one of empty text", async () => {
  const ids = idsOf(await select(", sample_per_stratum: 2"));
  const strata = ids.map((id) => rows.find((row) => row.id === id)?.expected_skill ?? "");
  assert.deepEqual(strata.toSorted(), ["", "", "alpha", "alpha", "beta", "beta"]);
  assert.deepEqual(ids, ids.toSorted());
});

test("a stratum with fewer rows is taken whole", async () => {
  assert.equal(idsOf(await select(", sample_per_stratum: 7")).length, 7 + 6 + 7);
  assert.equal(idsOf(await select(", sample_per_stratum: 12")).length, 30);
});

test("another stratify_field makes other strata: texts as Python writes them", async () => {
  const text =
    '{"id":"a","s":1}\n{"id":"b","s":"1"}\n{"id":"c","s":1.0}\n{"id":"d","s":null}\n{"id":"e","s":"None"}\n{"id":"f","s":[1]}\n{"id":"g","s":[1]}\n';
  const expanded = await expand(datasetTask("{paths: [r.jsonl], sample_per_stratum: 1, stratify_field: s}"), {
    files: { "tasks/r.jsonl": text },
  });
  assert.equal(expanded.kind === "rows" && expanded.facts.strata, 4);
  assert.equal(idsOf(expanded).length, 4);
});

test("a number per stratum of the command line beats the task's", async () => {
  const fact = await facts(", sample_per_stratum: 1", { samplePerStratum: 3 });
  assert.deepEqual([fact.limit, fact.rowsSelected, fact.strata], [3, 9, 3]);
  assert.deepEqual((await facts("", { samplePerStratum: 1 })).mode, "per-stratum");
});

test("the seed of strata is that of the command line, else the task's sample_seed, else the run's", async () => {
  const seed = async (dataset: string, sampling: Partial<Sampling>) => (await facts(`, sample_per_stratum: 1${dataset}`, sampling)).seed;
  assert.equal(await seed(", sample_seed: 7", { sampleSeed: "cli" }), "cli");
  assert.equal(await seed(", sample_seed: 7", {}), "7");
  assert.equal(await seed(", sample_seed: 0", {}), "0");
  assert.equal(await seed("", { runSeed: "abc" }), "abc");
  assert.equal(await seed(", sample_seed: null", { runSeed: "abc" }), "abc");
});

test("runs without a seed draw other rows, those with one the same", async () => {
  const draw = async (dataset: string, runSeed: string) => idsOf(await select(`, sample_per_stratum: 2${dataset}`, { runSeed }));
  assert.deepEqual(await draw(", sample_seed: 3", "run 1"), await draw(", sample_seed: 3", "run 2"));
  assert.notDeepEqual(await draw("", "run 1"), await draw("", "run 2"));
});

test("a stratify_field that no row has is a warning", async () => {
  const expanded = await select(", sample_per_stratum: 2, stratify_field: expected_skil");
  assert.deepEqual(expanded.kind === "rows" ? expanded.warnings.map(({ code, message, hint }) => [code, message, hint]) : [], [
    [
      "no-stratum",
      "no row has the field 'expected_skil', so all rows are one stratum",
      "did you mean 'expected_skill'? the row has 'id', 'expected_skill'",
    ],
  ]);
});

const dataset: Dataset = {
  paths: null,
  rows: null,
  id_field: "id",
  sample_per_stratum: null,
  stratify_field: "s",
  sample_seed: null,
};

const named = (list: readonly (readonly [string, number])[]) =>
  list.map(([id, s]) => ({ id, row: { fields: { id, s }, isFloat: () => false, place: () => ({}) } }));
const anyRows = fc.uniqueArray(fc.tuple(fc.string({ minLength: 1, maxLength: 4 }), fc.nat({ max: 3 })), {
  selector: ([id]) => id,
  maxLength: 25,
});

test("one more row changes at most one kept row, of its own stratum, wherever it stands", () => {
  fc.assert(
    fc.property(anyRows, fc.integer({ min: 1, max: 6 }), fc.boolean(), fc.nat({ max: 3 }), fc.nat(), (list, n, perStratum, s, at) => {
      const sampling = { runSeed: "x", ...(perStratum ? { samplePerStratum: n } : { sample: n }) };
      const draw = (from: typeof list) => selectRows(named(from), dataset, sampling).rows.map(({ id }) => id);
      const before = draw(list);
      const after = draw(list.toSpliced(at % (list.length + 1), 0, ["the new one", s]));
      const lost = before.filter((id) => !after.includes(id));
      assert.ok(lost.length <= 1);
      if (perStratum) assert.ok(list.filter(([id]) => lost.includes(id)).every(([, stratum]) => stratum === s));
      assert.deepEqual(
        after.filter((id) => id !== "the new one"),
        before.filter((id) => !lost.includes(id)),
      );
    }),
  );
});

test("the order of the rows does not matter for which are kept", () => {
  const shuffled = anyRows.chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })));
  fc.assert(
    fc.property(shuffled, fc.integer({ min: 1, max: 6 }), fc.boolean(), ([list, other], n, perStratum) => {
      const sampling = { runSeed: "x", ...(perStratum ? { samplePerStratum: n } : { sample: n }) };
      const draw = (from: typeof list) => new Set(selectRows(named(from), dataset, sampling).rows.map(({ id }) => id));
      assert.deepEqual(draw(list), draw(other));
    }),
  );
});

test("a row that is not drawn may lack what the others have", async () => {
  const files = { "tasks/r.jsonl": `${jsonl(Array.from({ length: 9 }, (_, index) => ({ id: `r${index}`, x: 1 })))}{"id":"odd"}\n` };
  const yaml = datasetTask("{paths: [r.jsonl]}", { prompt: "${row.x}" });
  assert.equal((await expand(yaml, { files })).kind, "problem");
  const seeds = Array.from({ length: 20 }, (_, seed) => String(seed));
  const drawn = await Promise.all(seeds.map((sampleSeed) => expand(yaml, { files, sampling: { sample: 5, sampleSeed } })));
  assert.deepEqual(new Set(drawn.map(({ kind }) => kind)), new Set(["rows", "problem"]));
});

const recordedFrom = async (...args: Parameters<typeof select>) => {
  const { mode, seed, limit } = await facts(...args);
  return new Map([["t", { mode, seed, limit, rowIds: new Set(idsOf(await select(...args))) }]]);
};

test("a resume draws no other rows, although no seed is named and rows were added (B66)", async () => {
  const before = await recordedFrom(", sample_per_stratum: 2", { runSeed: "first" });
  const grown = [...Array.from({ length: 20 }, (_, index) => ({ id: `new${index}`, expected_skill: "alpha" })), ...rows];
  const again = await expand(datasetTask("{paths: [r.jsonl], sample_per_stratum: 2}"), {
    files: { "tasks/r.jsonl": jsonl(grown) },
    sampling: { runSeed: "second", recorded: before },
  });
  assert.deepEqual(new Set(idsOf(again)), before.get("t")?.rowIds);
});

test("a resume with another sample draws it by the recorded seed, with --sample-seed by that", async () => {
  const recorded = await recordedFrom(", sample_per_stratum: 2", { runSeed: "first" });
  const more = await facts(", sample_per_stratum: 3", { runSeed: "second", recorded });
  assert.deepEqual([more.seed, more.rowsSelected], ["first", 9]);
  const other = await facts(", sample_per_stratum: 2", { runSeed: "second", sampleSeed: "mine", recorded });
  assert.equal(other.seed, "mine");
  const whole = await facts("", { recorded });
  assert.deepEqual([whole.mode, whole.rowsSelected], ["all", 30]);
});

test("where none of the recorded rows is there any more, rows are drawn anew", async () => {
  const recorded = new Map([["t", { mode: "sample", seed: "0", limit: 5, rowIds: new Set(["gone"]) }]]);
  assert.deepEqual(idsOf(await select("", { sample: 5, recorded })), idsOf(await select("", { sample: 5 })));
});
