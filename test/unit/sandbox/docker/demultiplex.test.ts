import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { createDemultiplexer } from "../../../../src/sandbox/docker/demultiplex.ts";

function frame(stream: 1 | 2, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

test("both streams come out whole and in order, wherever the transport cuts", () => {
  const frames = fc.array(fc.tuple(fc.constantFrom<1 | 2>(1, 2), fc.uint8Array({ maxLength: 40 })), { maxLength: 20 });
  fc.assert(
    fc.property(frames, fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 }), (list, cuts) => {
      const wire = Buffer.concat(list.map(([stream, payload]) => frame(stream, payload)));
      const got: Record<"stdout" | "stderr", Buffer[]> = { stdout: [], stderr: [] };
      const feed = createDemultiplexer((name, chunk) => got[name].push(Buffer.from(chunk)));
      for (let position = 0, cut = 0; position < wire.length; cut += 1) {
        const size = cuts[cut % cuts.length] ?? 1;
        feed(wire.subarray(position, position + size));
        position += size;
      }
      const wanted = (stream: number) => Buffer.concat(list.filter(([one]) => one === stream).map(([, payload]) => payload));
      assert.deepEqual([Buffer.concat(got.stdout), Buffer.concat(got.stderr)], [wanted(1), wanted(2)]);
    }),
  );
});
