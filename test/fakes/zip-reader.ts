import assert from "node:assert/strict";
import { crc32, inflateRawSync } from "node:zlib";

/**
 * Files of a zip archive by path, read from its central directory as unzip tools do; each size and checksum is checked. Knows
 * stored and deflated entries below 4 GiB; folders are left out.
 */
export function readZip(archive: Buffer): Map<string, Buffer> {
  const end = archive.lastIndexOf("PK\x05\x06", undefined, "latin1");
  assert.ok(end >= 0, "not a zip archive: no end of central directory");
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  const files = new Map<string, Buffer>();
  for (let index = 0; index < count; index += 1) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50, `entry ${index} is no entry of a central directory`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const name = archive.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    if (!name.endsWith("/")) {
      assert.ok(!files.has(name), `${name} is in the archive twice`);
      files.set(name, contentOf(archive, at, name));
    }
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  assert.equal(at, end, "the central directory does not end where it should");
  return files;
}

function contentOf(archive: Buffer, entry: number, name: string): Buffer {
  const method = archive.readUInt16LE(entry + 10);
  const crc = archive.readUInt32LE(entry + 16);
  const packed = archive.readUInt32LE(entry + 20);
  const size = archive.readUInt32LE(entry + 24);
  const local = archive.readUInt32LE(entry + 42);
  assert.equal(archive.readUInt32LE(local), 0x04034b50, `${name} has no header of its own`);
  const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const data = archive.subarray(start, start + packed);
  assert.ok(method === 0 || method === 8, `${name} is packed with method ${method}`);
  const content = method === 0 ? data : inflateRawSync(data);
  assert.equal(content.length, size, `${name} has another size`);
  assert.equal(crc32(content), crc, `${name} has another checksum`);
  return content;
}
