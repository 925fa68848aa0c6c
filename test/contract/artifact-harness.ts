import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { type ArtifactDeps, type ArtifactEnd, type ArtifactRequest, uploadArtifact } from "../../src/github/artifacts.ts";
import { type ResultsService, type ServiceOptions, startResultsService } from "../fakes/results-service.ts";

export const environment = { serverUrl: "https://github.com", repository: "octo/evals", runId: "7" };

export async function service(t: TestContext, options: ServiceOptions = {}): Promise<ResultsService> {
  const started = await startResultsService(options);
  t.after(() => started.close());
  return started;
}

/** Writes files to disk, given by path. */
export function tree(t: TestContext, files: Readonly<Record<string, string | Buffer>>): { rootDir: string; files: string[] } {
  const rootDir = mkdtempSync(join(tmpdir(), "evalbatch-artifact-"));
  t.after(() => rmSync(rootDir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(rootDir, path)), { recursive: true });
    writeFileSync(join(rootDir, path), content);
  }
  return { rootDir, files: Object.keys(files).map((path) => join(rootDir, path)) };
}

/** What the runner gives to a step. */
export const envOf = ({ url, token }: Pick<ResultsService, "url" | "token">): Record<string, string> => ({
  ACTIONS_RESULTS_URL: `${url}/some/path`,
  ACTIONS_RUNTIME_TOKEN: token,
});

/** Uploads as `results` with GitHub's client. */
export function upload(at: ResultsService, request: Omit<ArtifactRequest, "name">, deps: Partial<ArtifactDeps> = {}): Promise<ArtifactEnd> {
  return uploadArtifact({ name: "results", ...request }, { environment, env: envOf(at), ...deps });
}

export function assertUploaded(end: ArtifactEnd): asserts end is Extract<ArtifactEnd, { kind: "uploaded" }> {
  assert.equal(end.kind, "uploaded", "why" in end ? end.why : undefined);
}

export function assertFailed(end: ArtifactEnd, pattern: RegExp): void {
  assert.equal(end.kind, "failed");
  assert.match("why" in end ? end.why : "", pattern);
}
