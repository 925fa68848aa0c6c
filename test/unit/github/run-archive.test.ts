import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { openRunArchive, usualArchiveLimits } from "../../../src/github/run-archive.ts";
import { type ArchiveLimits, RefusedArchive } from "../../../src/github/run-archive-entries.ts";
import { buildZip, type ZipEntry, type ZipOptions, zip64End } from "../../fakes/zip-builder.ts";

const never = new AbortController().signal;

function scratch(t: Pick<TestContext, "after">): string {
  const directory = mkdtempSync(join(tmpdir(), "evalbatch-archive-"));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Unpacks as an artifact is; the path of what was unpacked, or why it was refused. */
async function unpack(
  t: Pick<TestContext, "after">,
  archive: Buffer,
  limits?: Partial<ArchiveLimits>,
): Promise<{ into: string; refused?: string; unknown?: number }> {
  const directory = scratch(t);
  const path = join(directory, "a.zip");
  writeFileSync(path, archive);
  const into = mkdtempSync(join(directory, "into-"));
  try {
    using opened = await openRunArchive(path, { ...usualArchiveLimits, ...limits });
    await opened.extract(into, never);
    return { into, unknown: opened.unknown };
  } catch (error) {
    assert.ok(error instanceof RefusedArchive, String(error));
    return { into, refused: error.message };
  }
}

const filesBelow = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name).slice(directory.length + 1))
    .sort();

async function refuses(t: TestContext, archive: Buffer, pattern: RegExp, limits?: Partial<ArchiveLimits>): Promise<void> {
  const { refused } = await unpack(t, archive, limits);
  assert.match(refused ?? "it was unpacked", pattern);
}

const plan: ZipEntry = { name: "plan.json", content: "{}" };
const zip = (entries: readonly ZipEntry[], options?: ZipOptions): Buffer => buildZip([plan, ...entries], options);

test("unpacks the files of a run, byte for byte, with plain modes", async (t) => {
  const entries: ZipEntry[] = [
    plan,
    { name: "run.json", content: '{"a":1}', stored: true },
    { name: "default/ä task/00/task.json", content: "x".repeat(100_000), dataDescriptor: true },
    { name: "default/a/00/artifacts/a/run.sh", content: "#!/bin/sh", mode: 0o104_777 },
    { name: "default/a/00/task.log", mode: 0o100_000 },
    { name: "evalbatch-files.json", content: "{}" },
  ];
  const { into, refused, unknown } = await unpack(t, buildZip(entries, { comment: "by hand" }));
  assert.equal(refused, undefined);
  assert.equal(unknown, 0);
  assert.deepEqual(filesBelow(into), entries.map(({ name }) => String(name)).sort());
  for (const { name, content = "" } of entries) assert.equal(readFileSync(join(into, String(name)), "utf8"), String(content));
  const modeOf = (path: string) => statSync(join(into, path)).mode & 0o7777;
  assert.equal(modeOf("default/a/00/artifacts/a/run.sh"), 0o755 & ~process.umask());
  assert.equal(modeOf("default/a/00/task.log"), 0o644 & ~process.umask());
});

test("unpacks only what belongs to a run directory, and counts the rest", async (t) => {
  const others = [
    "package.json",
    ".github/workflows/ci.yml",
    "default/a/task.json",
    "default/a/00/.bashrc",
    "default/a/00/artifacts/a/.git/config",
    "tests/run.json",
  ];
  const { into, unknown } = await unpack(t, zip(others.map((name) => ({ name, content: "x" }))));
  assert.deepEqual(filesBelow(into), ["plan.json"]);
  assert.equal(unknown, others.length);
});

test("passes over folders", async (t) => {
  const { into, refused } = await unpack(
    t,
    zip([
      { name: "default/", mode: 0o040_755, stored: true },
      { name: "empty/", mode: 0, stored: true, dosAttributes: 0x10 },
    ]),
  );
  assert.equal(refused, undefined);
  assert.deepEqual(readdirSync(into), ["plan.json"]);
});

test("refuses every name that leads somewhere else, or means something else on another system", async (t) => {
  const names = [
    "../run.json",
    "../../etc/passwd",
    "default/../../run.json",
    "/run.json",
    "//server/share",
    "C:/run.json",
    "C:run.json",
    "..",
    ".",
    "",
    "..\\run.json",
    "default\\a\\00\\task.json",
    "default//a/00/task.json",
    "./run.json",
    "default/./a",
    "default/a/..",
    "run.json\0.txt",
    "run.json\n",
    "default/\u0007/00/task.json",
    "default/con/00/task.json",
    "default/NUL.txt/00/task.json",
    "default/lpt1",
    "default/a./00/task.json",
    "default/a /00/task.json",
    "default/a:b/00/task.json",
    "default/\u202etxt/00/task.json",
    "run.json:stream",
    `default/${"x".repeat(300)}/00/task.json`,
    `${"d/".repeat(600)}task.json`,
  ];
  for (const name of names) {
    const { into, refused } = await unpack(t, zip([{ name, content: "x" }]));
    assert.ok(refused !== undefined, `${JSON.stringify(name)} was taken`);
    assert.deepEqual(filesBelow(into), []);
    assert.deepEqual(filesBelow(join(into, "..")), ["a.zip"]);
  }
});

test("refuses a name in another field than the usual one", async (t) => {
  const hidden = Buffer.from("../../evil");
  const field = Buffer.alloc(9);
  field.writeUInt16LE(0x7075, 0);
  field.writeUInt16LE(5 + hidden.length, 2);
  field.writeUInt8(1, 4);
  field.writeUInt32LE((await import("node:zlib")).crc32("run.json"), 5);
  await refuses(t, zip([{ name: "run.json", extra: Buffer.concat([field, hidden]) }]), /relative path/);
});

test("goes by the list of the archive, not by what an entry says of itself", async (t) => {
  const { into } = await unpack(t, zip([{ name: "run.json", content: "x", localName: "../../evil" }]));
  assert.deepEqual(filesBelow(into), ["plan.json", "run.json"]);
});

test("refuses links, devices, pipes and sockets, and a folder under the name of a file", async (t) => {
  for (const type of [0o120_000, 0o020_000, 0o060_000, 0o010_000, 0o140_000, 0o040_000, 0o160_000]) {
    await refuses(t, zip([{ name: "run.json", content: "/etc/passwd", stored: true, mode: type | 0o777 }]), /"run\.json" in it is a link/);
    if (type !== 0o040_000) await refuses(t, zip([{ name: "default/", mode: type | 0o777, stored: true }]), /is a link/);
  }
  await refuses(t, zip([{ name: "default/", content: "x", mode: 0o040_755 }]), /folder with content/);
});

test("refuses a file that is there twice, also where only the case or the composition of a letter differs", async (t) => {
  for (const [one, other] of [
    ["run.json", "run.json"],
    ["run.json", "RUN.json"],
    ["default/é/00/task.json", "default/e\u0301/00/task.json"],
    ["x.bin", "X.bin"],
  ])
    await refuses(t, zip([{ name: one ?? "" }, { name: other ?? "" }]), /more than once/);
});

test("refuses a file that is a folder as well, in either order", async (t) => {
  const [file, below] = [{ name: "default/a/00/task.log" }, { name: "default/A/00/task.log/00/task.json" }];
  await refuses(t, zip([file, below]), /is a file and a folder/);
  await refuses(t, zip([below, file]), /is a file and a folder/);
});

test("refuses what is encrypted or packed in another way", async (t) => {
  for (const flags of [1, 0x40 | 1, 0x2000]) await refuses(t, zip([{ name: "run.json", flags }]), /encrypt/);
  for (const method of [1, 6, 9, 12, 14, 93, 95, 99])
    await refuses(t, zip([{ name: "run.json", claims: { method } }]), new RegExp(`unknown method ${method}`));
});

test("refuses more entries, larger files and more bytes than an upload of ours has", async (t) => {
  const many = Array.from({ length: 20 }, (_, index) => ({ name: `default/a/${10 + index}/task.json`, content: "x".repeat(100) }));
  await refuses(t, zip(many), /has 21 entries, more than 20/, { entries: 20 });
  await refuses(t, zip(many), /larger than any file of ours/, { fileBytes: 99 });
  await refuses(t, zip(many), /unpacks to more than 1000 bytes/, { totalBytes: 1000 });
  assert.equal((await unpack(t, zip(many), { entries: 21, fileBytes: 100, totalBytes: 2002 })).refused, undefined);
});

test("refuses a bomb by what it claims, and by what comes out of it", async (t) => {
  const zeros = Buffer.alloc(20 * 1024 * 1024);
  const limits = { ratio: 200, freeBytes: 1024 * 1024 };
  await refuses(t, zip([{ name: "run.json", content: zeros }]), /far more than it holds/, limits);
  assert.equal((await unpack(t, zip([{ name: "run.json", content: zeros }]))).refused, undefined);
  const lying = zip([{ name: "run.json", content: zeros, claims: { size: 1000 } }]);
  const { into, refused } = await unpack(t, lying);
  assert.match(refused ?? "", /"run\.json" in it has another size than it says/);
  assert.deepEqual(filesBelow(into), ["plan.json"]);
});

test("refuses entries that share their data, as soon as they are too much together", async (t) => {
  const shared = Array.from({ length: 50 }, (_, index) => ({
    name: `default/a/${10 + index}/task.json`,
    claims: { offset: 0, size: 1_000_000, packed: 1000 },
  }));
  await refuses(t, buildZip([{ name: "plan.json", content: Buffer.alloc(1_000_000) }, ...shared]), /far more than it holds/, {
    freeBytes: 1024 * 1024,
  });
});

test("refuses content that is not what the archive says", async (t) => {
  await refuses(t, zip([{ name: "run.json", content: "x", claims: { crc: 1 } }]), /the checksum of "run\.json" in it is wrong/);
  await refuses(t, zip([{ name: "run.json", content: "x", claims: { size: 2 } }]), /another size than it says/);
  await refuses(t, zip([{ name: "run.json", content: "xyz", stored: true, claims: { size: 2 } }]), /size mismatch/);
  await refuses(
    t,
    zip([{ name: "run.json", content: "x", stored: true, claims: { method: 8, packed: 1, size: 5 } }]),
    /cannot be unpacked/,
  );
  await refuses(t, zip([{ name: "run.json", claims: { offset: 3 } }]), /invalid local file header/);
});

test("refuses what points behind its end, or holds numbers that no file has", async (t) => {
  for (const claims of [{ offset: 0xfffffffe }, { packed: 0xfffffffe }, { packed: 10_000 }])
    await refuses(t, zip([{ name: "run.json", claims }]), /lies behind its end/);
  for (const offset of [0xfffffffe, 0xffffffff]) await refuses(t, zip([], { claims: { offset } }), /points behind its end/);
  await refuses(t, zip([], { claims: { entries: 2 } }), /it cannot be unpacked/);
  const huge = 0xffff_ffff_ffff_ffffn;
  const size = zip([]).length - 22;
  await refuses(t, zip([], { beforeEnd: zip64End({ recordOffset: huge }) }), /points behind its end/);
  await refuses(t, zip([], { beforeEnd: zip64End({ recordOffset: 0n }) }), /zip64/);
  await refuses(t, zip([], { beforeEnd: zip64End({ recordOffset: BigInt(size), entries: huge }) }), /entries, more than/);
  await refuses(t, zip([], { beforeEnd: zip64End({ recordOffset: BigInt(size), directoryOffset: huge }) }), /points behind its end/);
  const wide = Buffer.alloc(28, 0xff);
  wide.writeUInt16LE(1, 0);
  wide.writeUInt16LE(24, 2);
  const claims = { size: 0xffffffff, packed: 0xffffffff, offset: 0xffffffff };
  await refuses(t, zip([{ name: "run.json", claims, extra: wide }]), /lies behind its end|larger than/);
  await refuses(t, zip([{ name: "run.json", claims }]), /lies behind its end/);
  await refuses(t, zip([{ name: "run.json", extra: Buffer.from([1, 0, 255, 255]) }]), /extra field/);
});

test("refuses what is no zip file, or not all of one", async (t) => {
  const whole = zip([{ name: "run.json", content: "x" }]);
  for (const [archive, why] of [
    [Buffer.alloc(0), /not a zip file|truncated/],
    [Buffer.from("PK"), /truncated/],
    [Buffer.from("<html>"), /truncated/],
    [whole.subarray(0, -1), /truncated|comment/],
    [whole.subarray(0, whole.length / 2), /truncated/],
    [Buffer.concat([whole, Buffer.from("more")]), /comment length/],
    [whole.subarray(10), /invalid|points behind/],
  ] as const)
    await refuses(t, archive, why);
});

/** Packs badly, and is unpacked in pieces. */
const large = Buffer.from(Array.from({ length: 5_000_000 }, (_, index) => (index * index * 7919) % 251));

test("unpacks large files in pieces, and checks them in the same way", async (t) => {
  const names = ["default/a/00/artifacts/a/stored.bin", "default/a/00/artifacts/a/packed.bin"];
  const entries = names.map((name, index) => ({ name, content: large, stored: index === 0, dataDescriptor: index === 1 }));
  const { into, refused } = await unpack(t, zip(entries));
  assert.equal(refused, undefined);
  for (const name of names) assert.ok(readFileSync(join(into, name)).equals(large));
  for (const stored of [true, false]) await refuses(t, zip([{ name: "run.json", content: large, stored, claims: { crc: 1 } }]), /checksum/);
  await refuses(t, zip([{ name: "run.json", content: large, claims: { size: large.length - 1 } }]), /too many bytes/);
  await refuses(t, zip([{ name: "run.json", content: large, claims: { size: large.length + 1 } }]), /not enough bytes/);
});

test("refuses a file that gets shorter while it is read", async (t) => {
  const path = join(scratch(t), "a.zip");
  writeFileSync(path, zip([{ name: "run.json", content: large, stored: true }]));
  using archive = await openRunArchive(path);
  truncateSync(path, 2000);
  await assert.rejects(archive.extract(scratch(t), never), RefusedArchive);
});

test("stops when the job is stopped", async (t) => {
  const path = join(scratch(t), "a.zip");
  writeFileSync(path, zip([]));
  using archive = await openRunArchive(path);
  await assert.rejects(archive.extract(scratch(t), AbortSignal.abort()), { name: "AbortError" });
  assert.equal(await archive.readText("plan.json", never), "{}");
  assert.equal(await archive.readText("run.json", never), undefined);
});

test("however an archive is damaged, it is read or refused, and nothing comes to lie outside", async (t) => {
  const whole = zip([
    { name: "default/a/00/task.json", content: "x".repeat(2000), dataDescriptor: true },
    { name: "run.json", content: "{}", stored: true },
  ]);
  const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(damage, async (bytes) => {
      const archive = Buffer.from(whole);
      for (const [at, byte] of bytes) archive[at] = byte;
      const { into } = await unpack(t, archive);
      for (const path of filesBelow(join(into, ".."))) assert.ok(path === "a.zip" || path.startsWith("into-"), path);
      rmSync(join(into, ".."), { recursive: true });
    }),
    { numRuns: 300 },
  );
});

test("what inflates without an end is cut off", async (t) => {
  const packed = deflateRawSync(Buffer.alloc(50 * 1024 * 1024));
  const sized = (size: number) => zip([{ name: "run.json", content: packed, stored: true, claims: { method: 8, size } }]);
  await refuses(t, sized(10), /another size than it says/);
  await refuses(t, sized(2 * 1024 * 1024), /too many bytes/);
});
