import { spawnSync } from "node:child_process";
import type { Driver, Need } from "./outcomes.ts";

/** Name of the image that the examples run in; `examples/13-custom-dockerfile/Dockerfile` builds on it. */
export const demoImage = "evalbatch-examples:1";

/** How the demo will run, and why. */
export interface Setting {
  readonly driver: Driver;
  readonly met: ReadonlySet<Need>;
  /** Lines for the user. */
  readonly notices: readonly string[];
}

interface Ended {
  readonly ok: boolean;
  /** Last line of the error output, or that the program did not start. */
  readonly reason: string;
}

function attempt(command: string, args: readonly string[], timeoutMs: number): Ended {
  const result = spawnSync(command, args, { encoding: "utf8", timeout: timeoutMs, stdio: ["ignore", "ignore", "pipe"] });
  const lastLine = (result.stderr ?? "").trim().split("\n").at(-1) ?? "";
  const reason = result.error === undefined ? lastLine : `${command} could not be started: is it installed?`;
  return { ok: result.status === 0, reason };
}

/** Debian's python3 alone has no ensurepip, and then no pip to install a package with. */
const askRegistry = 'import ensurepip, urllib.request; urllib.request.urlopen("https://pypi.org/simple/pip/", timeout=10)';

/** The image of the examples: at hand, built from an image registry, or made of Debian packages; else the reason. */
function ensureImage(say: (line: string) => void): string | undefined {
  if (attempt("docker", ["image", "inspect", demoImage], 20_000).ok) return undefined;
  say(`building ${demoImage} from examples/image (once)`);
  const built = attempt("docker", ["build", "-t", demoImage, "examples/image"], 600_000);
  if (built.ok) return undefined;
  say(`that did not work: ${built.reason}`);
  if (process.getuid?.() !== 0 || !attempt("debootstrap", ["--version"], 10_000).ok) return built.reason;
  say("making it of Debian packages instead (about a minute)");
  const made = attempt("sh", ["examples/image/from-debian.sh", demoImage], 600_000);
  return made.ok ? undefined : made.reason;
}

function dockerSetting(): Setting {
  const met = new Set<Need>(["docker", "python", "node"]);
  const registry = attempt("docker", ["run", "--rm", demoImage, "python3", "-c", askRegistry], 60_000);
  if (registry.ok) met.add("registry");
  const notices = [`Each example runs in a container of its own, made from ${demoImage}.`];
  if (!registry.ok) notices.push("PyPI does not answer inside a container, so the example with packages is left out.");
  return { driver: "docker", met, notices };
}

function tempdirSetting(reason: string): Setting {
  const met = new Set<Need>(["node"]);
  const notices = [`No containers: ${reason}.`, "The examples run in temporary directories, which are no security boundary."];
  if (attempt("python3", ["-c", "import venv"], 20_000).ok) met.add("python");
  else notices.push("There is no python3 that makes virtual environments, so the Python examples are left out.");
  if (met.has("python")) {
    if (attempt("python3", ["-c", askRegistry], 30_000).ok) met.add("registry");
    else notices.push("PyPI does not answer or there is no pip, so the example with packages is left out.");
  }
  return { driver: "tempdir", met, notices };
}

/**
 * Docker when an engine answers and its image is at hand or can be made, else temporary directories.
 * @throws Error where `wanted` is docker and there is none
 */
export function chooseSetting(wanted: Driver | undefined, say: (line: string) => void): Setting {
  if (wanted === "tempdir") return tempdirSetting("asked for with --driver tempdir");
  const engine = attempt("docker", ["version"], 20_000);
  const reason = engine.ok ? ensureImage(say) : `no Docker engine answers (${engine.reason})`;
  if (reason === undefined) return dockerSetting();
  if (wanted === "docker") throw new Error(`cannot run the demo in containers: ${reason}`);
  return tempdirSetting(reason);
}
