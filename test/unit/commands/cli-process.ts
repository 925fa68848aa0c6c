import { Writable } from "node:stream";
import { cliMain } from "../../../src/commands/cli-program.ts";

export interface CliEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

class Collected extends Writable {
  text = "";
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

/** The command line in this process, with streams, arguments and a directory of its own; nobody is at its terminal. */
export async function runCliMain(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<CliEnd> {
  const [stdout, stderr] = [new Collected(), new Collected()];
  const host: NodeJS.Process = Object.create(process, {
    argv: { value: ["node", "evalbatch", ...args] },
    cwd: { value: () => cwd },
    env: { value: { PATH: process.env.PATH, HOME: cwd, CI: "true", ...env } },
    stdout: { value: stdout },
    stderr: { value: stderr },
  });
  const code = await cliMain(host);
  return { code, stdout: stdout.text, stderr: stderr.text };
}
