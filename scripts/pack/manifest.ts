import { z } from "zod";

/** What is taken over from the repository's own package.json. */
const ownManifest = z.looseObject({
  name: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/, "expected a version such as 1.2.3"),
  description: z.string(),
  license: z.string(),
  type: z.literal("module"),
  bin: z.record(z.string(), z.string()),
});

/** The oldest Node that the bundle runs on; `scripts/bundle/cli-launcher.js` says the same to an older one. */
export const oldestNode = 22;

/** Files of the package beside its package.json: where they come from, relative to the repository or to `dist`, and their place. */
export const packageFiles = [
  { from: "dist", file: "cli.js", to: "dist/cli.js" },
  { from: "dist", file: "cli-main.js", to: "dist/cli-main.js" },
  { from: "dist", file: "licenses.txt", to: "dist/licenses.txt" },
  { from: "repository", file: "images/agent/Dockerfile", to: "images/agent/Dockerfile" },
  { from: "repository", file: "README.md", to: "README.md" },
  { from: "repository", file: "CHANGELOG.md", to: "CHANGELOG.md" },
  { from: "repository", file: "LICENSE", to: "LICENSE" },
] as const;

/**
 * The package.json of the published command line. The bundle holds everything that it needs, so the package has neither
 * dependencies nor scripts: installing it runs nothing and fetches nothing else.
 * @throws ZodError when the repository's package.json is not as expected
 */
export function packageManifest(repositoryManifest: unknown): Record<string, unknown> {
  const { name, version, description, license, type, bin } = ownManifest.parse(repositoryManifest);
  const engines = { node: `>=${oldestNode}` };
  return { name, version, description, license, type, bin, engines, files: packageFiles.map(({ to }) => to) };
}
