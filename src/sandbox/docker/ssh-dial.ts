import { spawn } from "node:child_process";
import { Duplex } from "node:stream";
import { EngineConnectionError } from "./engine-error.ts";

/**
 * One connection to an engine behind `ssh://`: as the docker CLI does, the remote CLI bridges its own socket to
 * standard input and output. Keys, aliases and known hosts are those of the user's ssh program.
 */
export function dialOverSsh(target: { readonly destination: string; readonly port?: string | undefined }): Duplex {
  const port = target.port === undefined ? [] : ["-p", target.port];
  const child = spawn("ssh", [...port, "-o", "ConnectTimeout=30", "-T", "--", target.destination, "docker system dial-stdio"], {
    stdio: ["pipe", "pipe", "pipe"],
  });
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
