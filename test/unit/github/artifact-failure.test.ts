import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { explainReadFailure, explainUploadFailure, whyUnavailable } from "../../../src/github/artifact-failure.ts";

const given = { ACTIONS_RUNTIME_TOKEN: "token", ACTIONS_RESULTS_URL: "https://results.example/" };

test("tells a name that is taken from every other refusal", () => {
  const taken =
    "Failed to CreateArtifact: Received non-retryable error: Failed request: (409) Conflict: an artifact with this name already exists";
  assert.equal(explainUploadFailure(taken).kind, "taken");
  for (const other of ["(400) Bad Request", "(403) Forbidden", "Failed request: (500) Internal Server Error: code 409"])
    assert.equal(explainUploadFailure(other).kind, "other", other);
});

test("has the remedy for each trouble that GitHub's client names", () => {
  const remedies: readonly (readonly [message: string, remedy: RegExp])[] = [
    [
      "Failed to CreateArtifact: Artifact storage quota has been hit. Unable to upload any new artifacts.\nMore info: https://x",
      /^delete old artifacts/,
    ],
    ["Failed to FinalizeArtifact: Unable to make request: ENOTFOUND\nIf you are using self-hosted runners", /^let the runner reach/],
    ["getaddrinfo EAI_AGAIN x.blob.core.windows.net", /^let the runner reach/],
    ["Upload progress stalled.", /ACTIONS_ARTIFACT_UPLOAD_TIMEOUT_MS/],
    ["Failed to get backend IDs: The provided JWT token is invalid and/or missing claims", /ACTIONS_RUNTIME_TOKEN/],
    ["Failed to CreateArtifact: Failed to make request after 5 attempts: Failed request: (503) Service Unavailable", /githubstatus/],
    [
      "The path for one of the files in artifact is not valid: /a:b. Contains the following character:  Colon :\n  \nInvalid",
      /please report this/,
    ],
    ["something new", /githubstatus/],
  ];
  for (const [message, remedy] of remedies) assert.match(explainUploadFailure(message).remedy, remedy, message);
});

test("has the remedy for each trouble with a list or a download", () => {
  const troubles: readonly (readonly [message: string, why: RegExp, remedy: RegExp])[] = [
    [
      "No artifacts found for ID: 7\nAre you trying to download from a different run?",
      /^it was deleted or has expired$/,
      /^a longer `retention-days`/,
    ],
    [
      "Failed to GetSignedArtifactURL: Received non-retryable error: Failed request: (404) Not Found: gone",
      /deleted or has expired/,
      /retention/,
    ],
    ["Artifact has expired", /deleted or has expired/, /retention/],
    [
      "Failed to ListArtifacts: Unable to make request: ECONNREFUSED\nIf you are using",
      /^ListArtifacts: Unable to make/,
      /^let the runner reach/,
    ],
    ["Failed to get backend IDs: The provided JWT token is invalid", /backend IDs/, /ACTIONS_RUNTIME_TOKEN/],
    ["Unable to download and extract artifact: Artifact download failed after 5 retries.", /failed after 5 retries$/, /^re-run the job/],
    ["Artifact storage quota has been hit", /quota/, /^re-run the job/],
    ["", /gives no reason/, /^re-run the job/],
  ];
  for (const [message, why, remedy] of troubles) {
    const explained = explainReadFailure(message);
    assert.match(explained.why, why);
    assert.match(explained.remedy, remedy, message);
  }
});

test("keeps one line of a message, without permissions and without control characters", () => {
  const { why } = explainUploadFailure(
    "PUT https://x.example/b?se=1&sig=a%2Bb%3D&comp=block failed \u{1b}[31mred\u{202e}\nmore\n::error::x",
  );
  assert.equal(why, "PUT https://x.example/b?se=1&sig=…&comp=block failed red");
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 2000 }), (message) => {
      const text = explainUploadFailure(message).why;
      assert.ok(text.length <= 500);
      assert.doesNotMatch(text, /\p{Cc}(?<!\t)|^$/u);
    }),
  );
});

test("an artifact can be uploaded to GitHub's own hosts only", () => {
  for (const host of ["https://github.com", "https://GITHUB.com/", "https://octo.ghe.com", "http://api.localhost"])
    assert.equal(whyUnavailable(host, given), undefined, host);
  for (const host of [
    "https://github.example",
    "https://ghe.com",
    "https://notgithub.com",
    "https://github.com.example",
    "http://localhost",
    "nonsense",
    "",
  ])
    assert.match(whyUnavailable(host, given) ?? "", /is an enterprise server/, host);
});

test("says which variable of the runner is missing", () => {
  assert.match(whyUnavailable("https://github.com", {}) ?? "", /^there is no ACTIONS_RUNTIME_TOKEN and no ACTIONS_RESULTS_URL: /);
  assert.match(whyUnavailable("https://github.com", { ...given, ACTIONS_RESULTS_URL: "" }) ?? "", /^there is no ACTIONS_RESULTS_URL: /);
});
