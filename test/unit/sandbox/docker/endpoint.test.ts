import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../../src/errors.ts";
import { negotiate } from "../../../../src/sandbox/docker/connect.ts";
import { discoverEndpoints } from "../../../../src/sandbox/docker/discover.ts";
import { describeEndpoint, parseAddress } from "../../../../src/sandbox/docker/endpoint.ts";

const addresses: readonly [string, unknown][] = [
  ["unix:///var/run/docker.sock", { kind: "socket", path: "/var/run/docker.sock" }],
  ["npipe:////./pipe/docker_engine", { kind: "socket", path: "//./pipe/docker_engine" }],
  ["tcp://10.0.0.1", { kind: "tcp", host: "10.0.0.1", port: 2375, secure: false }],
  ["tcp://10.0.0.1:2376", { kind: "tcp", host: "10.0.0.1", port: 2376, secure: true }],
  ["10.0.0.1:2375", { kind: "tcp", host: "10.0.0.1", port: 2375, secure: false }],
  ["tcp://[::1]:2375", { kind: "tcp", host: "::1", port: 2375, secure: false }],
  ["https://engine.example", { kind: "tcp", host: "engine.example", port: 443, secure: true }],
  ["ssh://me@build.example:2222", { kind: "ssh", destination: "me@build.example", port: "2222" }],
  ["ssh://build.example", { kind: "ssh", destination: "build.example", port: undefined }],
];

for (const [text, expected] of addresses) {
  test(`the address ${text} is read as the docker command reads it`, () => assert.deepEqual(parseAddress(text), expected));
}

for (const text of ["unix://", "gopher://x", "tcp://", "ssh://-oProxyCommand=x", "ssh://-x@host"]) {
  test(`the address ${text} is refused`, () => assert.equal(parseAddress(text).kind, "invalid"));
}

test("DOCKER_HOST is the only endpoint tried when it is set", () => {
  const found = discoverEndpoints({ DOCKER_HOST: "tcp://h:1", DOCKER_CONTEXT: "other", HOME: "/nowhere" }, "linux");
  assert.deepEqual(found.map(describeEndpoint), ["tcp://h:1"]);
  assert.equal(found[0]?.source, "DOCKER_HOST");
});

test("without any choice the usual sockets are tried, the rootless one too", () => {
  const found = discoverEndpoints({ HOME: "/home/me", XDG_RUNTIME_DIR: "/run/user/1000" }, "linux");
  assert.deepEqual(found.map(describeEndpoint), [
    "unix:///var/run/docker.sock",
    "unix:///run/user/1000/docker.sock",
    "unix:///home/me/.docker/run/docker.sock",
  ]);
});

test("a context comes from DOCKER_CONTEXT or config.json, with its TLS files", async () => {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-config-"));
  try {
    const id = createHash("sha256").update("remote").digest("hex");
    await mkdir(join(dir, "contexts/meta", id), { recursive: true });
    await mkdir(join(dir, "contexts/tls", id, "docker"), { recursive: true });
    await writeFile(
      join(dir, "contexts/meta", id, "meta.json"),
      JSON.stringify({ Name: "remote", Endpoints: { docker: { Host: "tcp://far:2376" } } }),
    );
    await writeFile(join(dir, "contexts/tls", id, "docker", "ca.pem"), "authority");
    await writeFile(join(dir, "config.json"), JSON.stringify({ currentContext: "remote" }));
    for (const env of [{ DOCKER_CONFIG: dir }, { DOCKER_CONFIG: dir, DOCKER_CONTEXT: "remote" }]) {
      const [endpoint] = discoverEndpoints(env, "linux");
      assert.ok(endpoint?.kind === "tcp");
      assert.deepEqual([endpoint.source, endpoint.tls?.ca?.toString(), endpoint.tls?.verify], ["context 'remote'", "authority", true]);
    }
    // `default` means the usual sockets even where another context is the current one.
    assert.equal(discoverEndpoints({ DOCKER_CONFIG: dir, DOCKER_CONTEXT: "default" }, "linux")[0]?.kind, "socket");
    assert.throws(
      () => discoverEndpoints({ DOCKER_CONFIG: dir, DOCKER_CONTEXT: "gone" }, "linux"),
      (error) => error instanceof EnvironmentError && error.code === "docker-context" && /gone/.test(error.message),
    );
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("both sides agree on the newest API that both speak, down to 1.41", () => {
  assert.equal(negotiate("1.41", "1.12"), "1.41");
  assert.equal(negotiate("1.45", "1.24"), "1.45");
  assert.equal(negotiate("1.52", "1.44"), "1.47");
  assert.equal(negotiate("1.40", "1.12"), undefined);
  assert.equal(negotiate("1.60", "1.50"), undefined);
});
