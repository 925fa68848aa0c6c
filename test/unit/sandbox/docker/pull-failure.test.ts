import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { classifyPullFailure, pullBackoffMs } from "../../../../src/sandbox/docker/pull-failure.ts";

/** Sentences of engines 20.10 to 28 and of the registries behind them. */
const table: readonly [status: number | undefined, message: string, expected: string][] = [
  [404, "manifest for alpine:nope not found: manifest unknown: manifest unknown", "image-not-found"],
  [
    404,
    "pull access denied for nope, repository does not exist or may require 'docker login': denied: requested access to the resource is denied",
    "image-denied",
  ],
  [500, "unauthorized: authentication required", "image-unauthorized"],
  [500, 'Head "https://ghcr.io/v2/x/y/manifests/1": unauthorized', "image-unauthorized"],
  [500, 'Get "https://registry/v2/": no basic auth credentials', "image-unauthorized"],
  [500, "error from registry: incorrect username or password", "image-unauthorized"],
  [500, "denied: permission_denied: read_package", "image-denied"],
  [undefined, "no matching manifest for linux/arm64/v8 in the manifest list entries", "image-architecture"],
  [400, "invalid reference format: repository name must be lowercase", "image-reference"],
  [undefined, "failed to register layer: write /usr/lib/x: no space left on device", "disk-full"],
  [500, 'Get "https://registry/v2/": x509: certificate signed by unknown authority', "registry-tls"],
  [500, "http: server gave HTTP response to HTTPS client", "registry-tls"],
  [500, "toomanyrequests: You have reached your pull rate limit", "retry"],
  [500, "received unexpected HTTP status: 429 Too Many Requests", "retry"],
  [500, "received unexpected HTTP status: 503 Service Unavailable", "retry"],
  [500, "net/http: TLS handshake timeout", "retry"],
  [500, 'Get "https://registry-1.docker.io/v2/": dial tcp: lookup registry-1.docker.io: i/o timeout', "retry"],
  [500, "unexpected EOF", "retry"],
  [undefined, "read ECONNRESET", "retry"],
  [500, "context canceled", "retry"],
];

for (const [status, message, expected] of table) {
  test(`a pull that fails with "${message.slice(0, 70)}" is ${expected}`, () => {
    const failure = classifyPullFailure(status, message);
    assert.equal(failure.kind === "retry" ? "retry" : failure.code, expected);
  });
}

test("every permanent failure has a remedy", () => {
  for (const [status, message] of table) {
    const failure = classifyPullFailure(status, message);
    if (failure.kind === "permanent") assert.notEqual(failure.hint, "");
  }
});

test("waits between tries grow to 16 s and differ between tasks", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (tries, random) => {
      const most = 1000 * 2 ** Math.min(tries - 1, 4);
      const wait = pullBackoffMs(tries, random);
      assert.ok(wait > most / 2 && wait <= most);
    }),
  );
});
