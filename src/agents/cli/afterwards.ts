import type { Sandbox } from "../../sandbox/sandbox.ts";

/** Bytes of all files together. */
const mostBytes = 32 * 1024 * 1024;

export interface LeftFile {
  readonly path: string;
  readonly text: string;
}

/**
 * The files that an agent left below its home and that match a pattern of the shell, in the shell's order. They are read through a command,
 * since the home is no part of the working directory; what cannot be read is missing, for telemetry must not cost a verdict.
 * @throws SandboxLostError, or the signal's reason
 */
export async function readAfterwards(
  sandbox: Sandbox,
  home: string,
  pattern: string | undefined,
  signal: AbortSignal,
): Promise<readonly LeftFile[]> {
  if (pattern === undefined) return [];
  // The pattern is an adapter's own; only regular files are read, a NUL and the path in front of each.
  const script = `cd "$0" 2>/dev/null || exit 0; for f in ${pattern}; do [ -f "$f" ] && [ ! -L "$f" ] || continue; printf '\\000%s\\n' "$f"; cat "$f"; done`;
  const result = await sandbox.exec({
    command: ["/bin/sh", "-c", script, home],
    timeoutMs: 30_000,
    maxOutputBytes: mostBytes,
    signal,
  });
  return result.kind === "exited" ? parseFiles(result.output.stdout) : [];
}

function parseFiles(text: string): LeftFile[] {
  return text.split("\0").flatMap((part) => {
    const pathEnd = part.indexOf("\n");
    return pathEnd <= 0 ? [] : [{ path: part.slice(0, pathEnd), text: part.slice(pathEnd + 1) }];
  });
}
