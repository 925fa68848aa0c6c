import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { EnvironmentError, errorMessage } from "../../errors.ts";
import { type Endpoint, parseAddress } from "./endpoint.ts";

type Env = Readonly<Record<string, string | undefined>>;

const contextMeta = z.object({
  Endpoints: z.object({ docker: z.object({ Host: z.string(), SkipTLSVerify: z.boolean().default(false) }).optional() }),
});
const dockerConfig = z.object({ currentContext: z.string().optional() });

/**
 * The endpoints worth trying, in order, by the rules of the docker CLI: `DOCKER_HOST`; else the context of `DOCKER_CONTEXT` or of
 * `config.json`; else the usual sockets. Exactly one where the user chose.
 * @throws EnvironmentError `docker-host`, `docker-context` for a choice that makes no sense
 */
export function discoverEndpoints(env: Env, platform: NodeJS.Platform): Endpoint[] {
  const configDir = dockerConfigDir(env);
  const host = env.DOCKER_HOST;
  if (host !== undefined && host !== "") {
    const secure = isOn(env.DOCKER_TLS_VERIFY) || env.DOCKER_TLS !== undefined;
    const certDir = env.DOCKER_CERT_PATH ?? configDir;
    return [endpointOf(host, "DOCKER_HOST", { certDir, secure, verify: isOn(env.DOCKER_TLS_VERIFY) })];
  }
  const chosen = env.DOCKER_CONTEXT || currentContext(configDir);
  if (chosen !== undefined && chosen !== "" && chosen !== "default") return [contextEndpoint(configDir, chosen)];
  return usualSockets(env, platform).map((path) => ({ kind: "socket", path, source: "default socket" }));
}

/** Where the docker CLI keeps its configuration. */
export function dockerConfigDir(env: Env): string {
  return env.DOCKER_CONFIG || join(env.HOME ?? env.USERPROFILE ?? "/", ".docker");
}

function usualSockets(env: Env, platform: NodeJS.Platform): string[] {
  if (platform === "win32") return ["//./pipe/docker_engine"];
  const home = env.HOME;
  const rootless = env.XDG_RUNTIME_DIR;
  return [
    "/var/run/docker.sock",
    ...(rootless === undefined || rootless === "" ? [] : [join(rootless, "docker.sock")]),
    ...(home === undefined || home === "" ? [] : [join(home, ".docker/run/docker.sock")]),
  ];
}

function currentContext(configDir: string): string | undefined {
  try {
    return dockerConfig.parse(JSON.parse(readFileSync(join(configDir, "config.json"), "utf8"))).currentContext;
  } catch {
    // No such file, or not one of the CLI's: the CLI itself goes on with its defaults then.
    return undefined;
  }
}

function contextEndpoint(configDir: string, name: string): Endpoint {
  // The CLI names a context's directory by the digest of its name.
  const id = createHash("sha256").update(name).digest("hex");
  const file = join(configDir, "contexts", "meta", id, "meta.json");
  const source = `context '${name}'`;
  try {
    const docker = contextMeta.parse(JSON.parse(readFileSync(file, "utf8"))).Endpoints.docker;
    if (docker === undefined) throw new Error("it has no docker endpoint");
    const certDir = join(configDir, "contexts", "tls", id, "docker");
    return endpointOf(docker.Host, source, { certDir, secure: existsSync(certDir), verify: !docker.SkipTLSVerify });
  } catch (error) {
    if (error instanceof EnvironmentError) throw error;
    throw new EnvironmentError("docker-context", `cannot use the docker ${source}: ${errorMessage(error)}`, {
      cause: error,
      hint: "see `docker context ls`, unset DOCKER_CONTEXT or set DOCKER_HOST",
    });
  }
}

function endpointOf(
  text: string,
  source: string,
  tls: { readonly certDir: string; readonly secure: boolean; readonly verify: boolean },
): Endpoint {
  const address = parseAddress(text);
  switch (address.kind) {
    case "invalid":
      throw new EnvironmentError("docker-host", `${source} is '${text}': ${address.reason}`, {
        hint: "set DOCKER_HOST to unix:///path/to/docker.sock, tcp://host:port or ssh://user@host, or unset it",
      });
    case "tcp": {
      const { host, port } = address;
      if (!tls.secure && !address.secure) return { kind: "tcp", host, port, source };
      const read = (name: string) => {
        const path = join(tls.certDir, name);
        return existsSync(path) ? readFileSync(path) : undefined;
      };
      return {
        kind: "tcp",
        host,
        port,
        source,
        tls: { ca: read("ca.pem"), cert: read("cert.pem"), key: read("key.pem"), verify: tls.verify },
      };
    }
    default:
      return { ...address, source };
  }
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}
