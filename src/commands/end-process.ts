/** How long the last output may take to leave, in milliseconds: the reader may be gone or stuck. */
const flushMs = 1000;

/**
 * Ends the process once its output is out. Not left to an empty event loop: a request to an engine that does not answer, or a stream
 * without an end, would keep a finished run alive.
 */
export async function endProcess(host: NodeJS.Process, exitCode: number): Promise<never> {
  const flushed = Promise.all([host.stdout, host.stderr].map(flush));
  await Promise.race([flushed, new Promise((done) => setTimeout(done, flushMs))]);
  return host.exit(exitCode);
}

/**
 * A closed terminal or pipe (`… | head`) must cost neither the run nor its results: what can't be shown is dropped. Writing goes on
 * silently; the files say everything.
 */
export function surviveClosedOutput(host: NodeJS.Process): void {
  for (const stream of [host.stdout, host.stderr]) stream.on("error", () => {});
}

function flush(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((done) => {
    stream.once("error", () => done());
    stream.write("", () => done());
  });
}
