import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { errorMessage } from "../../errors.ts";
import { dockerConfigDir } from "./discover.ts";

const authEntry = z.object({
  auth: z.string().optional(),
  username: z.string().optional(),
  password: z.string().optional(),
  identitytoken: z.string().optional(),
});
const configSchema = z.object({
  auths: z.record(z.string(), authEntry).nullish(),
  credsStore: z.string().nullish(),
  credHelpers: z.record(z.string(), z.string()).nullish(),
});
const helperAnswer = z.object({ Username: z.string(), Secret: z.string() });

/** What the engine wants in `X-Registry-Auth`. */
export interface RegistryAuth {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly identitytoken?: string | undefined;
  readonly serveraddress: string;
}

const helperTimeoutMs = 20_000;
const dockerHub = "https://index.docker.io/v1/";

/**
 * The user's own log-in for a registry, as `docker login` left it: a credential helper, a credential store or `config.json` itself.
 * `undefined`: none. A helper that fails is told to `log` and counts as none; the secret itself is never told.
 */
export async function findRegistryAuth(
  registry: string,
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): Promise<RegistryAuth | undefined> {
  const config = await readConfig(env, log);
  const address = registry === "docker.io" ? dockerHub : registry;
  const helper =
    config?.credHelpers?.[registry] ?? (registry === "docker.io" ? config?.credHelpers?.[dockerHub] : undefined) ?? config?.credsStore;
  if (helper !== undefined && helper !== null && helper !== "") {
    const found = await askHelper(helper, address, env, log);
    if (found !== undefined) return found;
  }
  const entry = Object.entries(config?.auths ?? {}).find(([key]) => key === address || hostOf(key) === registry)?.[1];
  return entry === undefined ? undefined : readEntry(entry, address);
}

/** The header's form: URL-safe base64 of JSON, with padding: engines silently ignore one without. */
export function encodeRegistryAuth(auth: RegistryAuth): string {
  return Buffer.from(JSON.stringify(auth)).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

/** Keys of `auths` were written in many forms over the years: `https://host/v1/`, `host/v2`, `host`. */
function hostOf(key: string): string {
  const host = key.replace(/^https?:\/\//, "").split("/")[0] ?? "";
  return host === "index.docker.io" || host === "registry-1.docker.io" ? "docker.io" : host;
}

function readEntry(entry: z.infer<typeof authEntry>, serveraddress: string): RegistryAuth | undefined {
  if (entry.identitytoken) return { identitytoken: entry.identitytoken, serveraddress };
  const text = Buffer.from(entry.auth ?? "", "base64").toString("utf8");
  const colon = text.indexOf(":");
  const username = entry.username ?? (colon > 0 ? text.slice(0, colon) : undefined);
  const password = entry.password ?? (colon > 0 ? text.slice(colon + 1) : undefined);
  return username === undefined || username === "" ? undefined : { username, password: password ?? "", serveraddress };
}

async function readConfig(env: Readonly<Record<string, string | undefined>>, log: (line: string) => void) {
  const path = join(dockerConfigDir(env), "config.json");
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return configSchema.parse(JSON.parse(text));
  } catch (error) {
    // Not `errorMessage`: a parser quotes the text, and this file holds passwords.
    log(
      `warning: ${path} is not a docker configuration (${error instanceof SyntaxError ? "not JSON" : "unexpected shape"}); going on without log-in`,
    );
    return undefined;
  }
}

async function askHelper(
  helper: string,
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): Promise<RegistryAuth | undefined> {
  if (!/^[A-Za-z0-9_.-]+$/.test(helper)) return undefined;
  try {
    const answer = helperAnswer.parse(JSON.parse(await runHelper(`docker-credential-${helper}`, address, env)));
    if (answer.Username === "<token>") return { identitytoken: answer.Secret, serveraddress: address };
    return answer.Username === "" ? undefined : { username: answer.Username, password: answer.Secret, serveraddress: address };
  } catch (error) {
    const why = error instanceof z.ZodError || error instanceof SyntaxError ? "it gave no credentials" : errorMessage(error).split("\n")[0];
    log(`docker-credential-${helper} has no log-in for ${address}: ${why}`);
    return undefined;
  }
}

function runHelper(program: string, input: string, env: Readonly<Record<string, string | undefined>>): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, ["get"], { env: { ...env }, timeout: helperTimeoutMs, maxBuffer: 1024 ** 2 }, (error, stdout) => {
      if (error === null) resolve(stdout);
      else
        reject(
          new Error("code" in error && error.code === "ENOENT" ? "it is not installed" : `it ended with ${error.code ?? error.signal}`),
        );
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
}
