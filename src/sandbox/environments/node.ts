import { z } from "zod";
import { SandboxSetupError } from "../../errors.ts";
import type { Sandbox } from "../sandbox.ts";
import { runInstaller } from "./package-list.ts";

export interface NodeOptions {
  readonly envPackages: readonly string[];
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

const maxManifestBytes = 1_000_000;
const manifest = z.object({ version: z.string() });

/**
 * Installs a task's Node packages into `workDir`, by bun where there is bun, else by npm; without packages nothing happens (formats.md 1.4).
 * Gives the versions that were installed, for `installed_tools`.
 * @throws SandboxSetupError `package_install_error`, SandboxLostError, or the signal's reason
 */
export async function setUpNode(sandbox: Sandbox, options: NodeOptions): Promise<Record<string, string>> {
  const { envPackages, signal, log } = options;
  if (envPackages.length === 0) return {};
  const found = await sandbox.exec({
    command: { shell: "command -v bun >/dev/null && echo bun || { command -v npm >/dev/null && echo npm; }" },
    timeoutMs: 10_000,
    maxOutputBytes: 1000,
    signal,
  });
  const what = `Node packages ${envPackages.join(", ")}`;
  const tool = found.output.stdout.trim();
  if (tool !== "bun" && tool !== "npm") {
    throw new SandboxSetupError("package_install_error", `could not install ${what}: neither bun nor npm in the sandbox`, {
      hint: "use an image with npm or bun",
    });
  }
  const command = tool === "bun" ? ["bun", "add", ...envPackages] : ["npm", "install", "--no-fund", "--no-audit", ...envPackages];
  await runInstaller(sandbox, { command, what, signal, log });
  return await installedVersions(sandbox, envPackages, signal);
}

async function installedVersions(sandbox: Sandbox, specs: readonly string[], signal: AbortSignal): Promise<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const name of specs.map(packageName)) {
    if (name === undefined) continue;
    const read = await sandbox.readFile(`node_modules/${name}/package.json`, maxManifestBytes, signal);
    const version = read.kind === "read" ? readVersion(read.bytes) : undefined;
    if (version !== undefined) versions[name] = version;
  }
  return versions;
}

/** `react@^18` and `@scope/name@1` have a name; a path, an address or an option has none that is known before. */
export function packageName(spec: string): string | undefined {
  return /^((?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*)(?:@[^/:]*)?$/i.exec(spec)?.[1];
}

function readVersion(bytes: Uint8Array): string | undefined {
  try {
    return manifest.parse(JSON.parse(Buffer.from(bytes).toString("utf8"))).version;
  } catch {
    return undefined;
  }
}
