import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EnvironmentError, errorMessage } from "../errors.ts";
import { artifactName } from "../github/artifact-name.ts";
import { type ArtifactEnd, uploadArtifact } from "../github/artifacts.ts";
import { selectRunFiles } from "../results/run-files.ts";
import { defaultStageLimits } from "../untrusted/files/limits.ts";
import { stageFiles } from "../untrusted/files/stage.ts";
import { artifactNameParts, type JobContext } from "./job-context.ts";

/** What became of the files. `left out` tells how many did not come along, and why stands in the artifact itself. */
export interface PublishedFiles {
  readonly end: ArtifactEnd;
  readonly leftOut: number;
  /** Secrets that were hidden on the way. */
  readonly redactions: number;
}

/** Copies what may leave to a place that no task can reach, redacted, and uploads it. Never throws. */
export async function publishFiles(runDir: string, job: JobContext, signal: AbortSignal): Promise<PublishedFiles | undefined> {
  const { inputs, environment, env } = job;
  if (inputs.upload === "none") return undefined;
  let staging: string | undefined;
  try {
    staging = await mkdtemp(join(environment.tempDir ?? tmpdir(), "evalbatch-files-"));
    const staged = await stageFiles({
      root: runDir,
      staging,
      select: selectRunFiles(inputs.upload),
      redactor: job.redactor,
      limits: defaultStageLimits,
      signal,
    });
    const name = artifactName({ ...artifactNameParts(job), attempt: environment.runAttempt });
    const end = await uploadArtifact(
      { name, rootDir: staging, files: staged.files, retentionDays: inputs.retentionDays },
      { environment, env, signal, log: environment.debug ? (text) => job.commands.lines(text, "artifact | ") : undefined },
    );
    return { end, leftOut: staged.manifest.left_out_count, redactions: staged.redactions };
  } catch (error) {
    return {
      end: { kind: "failed", why: `the results could not be made ready for upload: ${errorMessage(error)}; ${remedyFor(error)}` },
      leftOut: 0,
      redactions: 0,
    };
  } finally {
    if (staging !== undefined) await rm(staging, { recursive: true, force: true }).catch(() => {});
  }
}

function remedyFor(error: unknown): string {
  const hint = error instanceof EnvironmentError ? error.hint : undefined;
  return hint ?? "check that the runner's temporary directory (RUNNER_TEMP) exists, has room and belongs to the user that runs this";
}
