import { compareCodePoints } from "../code-points.ts";
import { cliFlagNames } from "../overrides/flag-names.ts";
import type { ResolvedTask } from "../resolved-task.ts";
import { defaultDockerImage } from "../schema/docker-schema.ts";
import { canonicalTexts, digestOf, type Redact } from "./canonical.ts";
import { settingLeaves } from "./setting-leaves.ts";
import { unorderedSettings } from "./stamped-fields.ts";
import type { StampedSetting } from "./task-stamp.ts";

/** A longer value is stamped by its digest. */
const maxValueChars = 300;

export interface SettingsStamp {
  readonly settings: Readonly<Record<string, StampedSetting>>;
  /** Equal for equal values, whoever set them. */
  readonly digest: string;
  /** Equal for equal values of the same layers. */
  readonly key: string;
}

/**
 * The settings of a task that can change its result, each with the layer that set it. A field that may be left away is null where it is.
 * @param portable a value with its paths named as every machine names them
 */
export function stampSettings(task: ResolvedTask, portable: (path: string, value: unknown) => unknown, redact: Redact): SettingsStamp {
  const leaves = settingLeaves(task.task);
  const values = leaves.map(({ path, value }) => ordered(path, portable(path, value)));
  const texts = canonicalTexts(values, redact);
  const settings: Record<string, StampedSetting> = {};
  const setBy = settersOf(task);
  let layers = "";
  for (const [index, { path, decidedAt }] of leaves.entries()) {
    const { source, detail } = setBy(path, decidedAt);
    layers += `${source} ${detail ?? ""}\n`;
    settings[path] = { value: shown(texts[index] ?? ""), source, detail };
  }
  const digest = digestOf(leaves.map(({ path }, index) => `${path} ${texts[index] ?? ""}\n`).join(""));
  return { settings, digest, key: digestOf(layers + digest) };
}

function shown(text: string): unknown {
  if (text === "null") return null;
  return text.length > maxValueChars ? `sha256 ${digestOf(text)} of ${text.length} characters` : JSON.parse(text);
}

function ordered(path: string, value: unknown): unknown {
  if (!unorderedSettings.has(path) || !Array.isArray(value)) return value;
  return [...new Set(value.map(String))].sort(compareCodePoints);
}

type Source = Pick<StampedSetting, "source" | "detail">;

const nobody: Source = { source: "default", detail: null };

/** Says who set what. Few settings are set, so that few have to be asked of all layers. */
function settersOf({ lineage, contributions, task }: ResolvedTask): (path: string, decidedAt: readonly string[]) => Source {
  // A free mapping has entries of its keys.
  const parents = new Set(Object.keys(lineage).flatMap(pathsAbove));
  return (path, decidedAt) => {
    const own = Object.hasOwn(lineage, path) ? lineage[path] : undefined;
    if (own !== undefined) return { source: own.source, detail: own.source_detail };
    // A block has one entry for all that lies in it.
    if (!parents.has(path) && !pathsAbove(path).some((name) => Object.hasOwn(lineage, name))) return nobody;
    const [highest] = contributions(decidedAt);
    if (highest !== undefined) return { source: highest.source, detail: highest.source === "cli" ? highest.name : null };
    // The image of `--image` belongs to no layer.
    const isImage = path === "sandbox.docker.image" && task.sandbox.docker.image !== defaultDockerImage;
    return isImage ? { source: "cli", detail: cliFlagNames.image } : nobody;
  };
}

/** `sandbox` and `sandbox.docker` of `sandbox.docker.image`. */
function pathsAbove(path: string): string[] {
  const above: string[] = [];
  for (let end = path.indexOf("."); end > 0; end = path.indexOf(".", end + 1)) above.push(path.slice(0, end));
  return above;
}
