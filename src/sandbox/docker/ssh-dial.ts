import { spawn } from "node:child_process";
import { Socket } from "node:net";
import { Duplex } from "node:stream";
import { EngineConnectionError } from "./engine-error.ts";

export interface SshTarget {
  readonly destination: string;
  readonly port?: string | undefined;
}

/**
 * One connection to an engine behind `ssh://`: as the docker CLI does, the remote CLI bridges its own socket to
 * standard input and output. Keys, aliases and known hosts are those of the user's ssh program.
 */
export function dialOverSsh(target: SshTarget, background: boolean): Duplex {
  const port = target.port === undefined ? [] : ["-p", target.port];
  const options = ["ConnectTimeout=30", "ServerAliveInterval=15", "ServerAliveCountMax=4"].flatMap((option) => ["-o", option]);
  const child = spawn("ssh", [...port, ...options, "-T", "--", target.destination, "docker system dial-stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  if (background) {
    child.unref();
    for (const pipe of [child.stdin, child.stdout, child.stderr]) if (pipe instanceof Socket) pipe.unref();
  }
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-2000);
  });
  const socket = Duplex.from({ readable: child.stdout, writable: child.stdin });
  child.once("error", (error) => socket.destroy(new EngineConnectionError("ESSH", `ssh could not be started: ${error.message}`, error)));
  child.once("close", (code) => {
    if (code !== 0) socket.destroy(new EngineConnectionError("ESSH", `ssh ended with ${code}: ${complaint.trim()}`));
  });
  socket.once("close", () => child.kill());
  return socket;
}
