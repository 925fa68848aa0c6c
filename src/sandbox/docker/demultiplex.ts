/** Gets the pieces of a command's output in the order in which they came. */
export type OutputSink = (stream: "stdout" | "stderr", chunk: Uint8Array) => void;

/**
 * Takes apart the engine's raw stream: frames of an 8-byte header (stream number, length) and their payload, cut anywhere by the
 * transport. Payload is handed on as it comes, never collected.
 */
export function createDemultiplexer(sink: OutputSink): (chunk: Uint8Array) => void {
  const header = new Uint8Array(8);
  let headerBytes = 0;
  let payloadLeft = 0;
  return (chunk) => {
    let position = 0;
    while (position < chunk.length) {
      if (payloadLeft > 0) {
        const piece = chunk.subarray(position, position + payloadLeft);
        payloadLeft -= piece.length;
        position += piece.length;
        sink(header[0] === 2 ? "stderr" : "stdout", piece);
        continue;
      }
      const piece = chunk.subarray(position, position + 8 - headerBytes);
      header.set(piece, headerBytes);
      headerBytes += piece.length;
      position += piece.length;
      if (headerBytes === 8) {
        payloadLeft = new DataView(header.buffer).getUint32(4);
        headerBytes = 0;
      }
    }
  };
}
