/** What a pushed tag releases. */
export interface Release {
  readonly version: string;
  readonly prerelease: boolean;
  /** Tags such as `v1` and `v1.2` that are to follow it; none for a pre-release, nor where a higher version is out. */
  readonly moves: readonly string[];
  /** The version's section of the change log, Markdown. */
  readonly notes: string;
}

interface ReleaseFacts {
  /** `v1.2.3` or `v1.2.3-rc.1`. */
  readonly tag: string;
  /** Of package.json. */
  readonly manifestVersion: string;
  readonly changelog: string;
  /** All tags of the repository. */
  readonly tags: readonly string[];
}

const versionTag = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*)?$/;

/**
 * Holds a tag against package.json and the change log.
 * @throws Error with every reason why this tag must not be released
 */
export function planRelease({ tag, manifestVersion, changelog, tags }: ReleaseFacts): Release {
  const parts = versionTag.exec(tag);
  if (parts === null) throw new Error(`${JSON.stringify(tag)} is no tag of a release, such as v1.2.3 or v1.2.3-rc.1`);
  const [, major = "", minor = "", , suffix] = parts;
  const version = tag.slice(1);
  const notes = sectionOf(changelog, version) ?? (suffix === undefined ? undefined : sectionOf(changelog, "Unreleased"));
  const problems = [
    manifestVersion === version ? [] : [`package.json has version ${manifestVersion}, the tag says ${version}`],
    notes === undefined ? [`CHANGELOG.md has no section "## ${version}" with something in it`] : [],
  ].flat();
  if (notes === undefined || problems.length > 0) throw new Error(`${tag} cannot be released: ${problems.join("; ")}`);
  const released = [...tags, tag].filter((other) => versionTag.exec(other)?.[4] === undefined && versionTag.test(other));
  const moves = [`v${major}`, `v${major}.${minor}`].filter(
    (name) => highest(released.filter((other) => other.startsWith(`${name}.`))) === tag,
  );
  return { version, prerelease: suffix !== undefined, moves, notes };
}

/** Text below `## <title>` or `## <title> …`, up to the next heading of that level; undefined when there is none. */
function sectionOf(changelog: string, title: string): string | undefined {
  const lines = changelog.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("## ") && line.split(/\s+/)[1] === title);
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  const text = lines
    .slice(start + 1, end < 0 ? undefined : end)
    .join("\n")
    .trim();
  return text === "" ? undefined : text;
}

function highest(tags: readonly string[]): string | undefined {
  const numbers = (tag: string): number[] => (versionTag.exec(tag) ?? []).slice(1, 4).map(Number);
  return tags
    .toSorted((a, b) => {
      const [left, right] = [numbers(a), numbers(b)];
      return left.map((value, index) => value - (right[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
    })
    .at(-1);
}
