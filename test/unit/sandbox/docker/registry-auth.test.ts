import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { parseImageReference } from "../../../../src/plan/image-reference.ts";
import { encodeRegistryAuth, findRegistryAuth } from "../../../../src/sandbox/docker/registry-auth.ts";

const references: readonly [string, readonly [repository: string, version: string, registry: string] | undefined][] = [
  ["alpine", ["alpine", "latest", "docker.io"]],
  ["library/alpine:3.20", ["library/alpine", "3.20", "docker.io"]],
  ["ghcr.io/team/image:1.0-rc.1", ["ghcr.io/team/image", "1.0-rc.1", "ghcr.io"]],
  ["localhost/x", ["localhost/x", "latest", "localhost"]],
  ["127.0.0.1:5000/a/b:t", ["127.0.0.1:5000/a/b", "t", "127.0.0.1:5000"]],
  ["127.0.0.1:5000/a/b", ["127.0.0.1:5000/a/b", "latest", "127.0.0.1:5000"]],
  ["docker.io/team/x", ["docker.io/team/x", "latest", "docker.io"]],
  [`a/b:t@sha256:${"0a".repeat(32)}`, ["a/b", `sha256:${"0a".repeat(32)}`, "docker.io"]],
  ["Upper/case", undefined],
  ["-rf", undefined],
  ["a b", undefined],
  ["", undefined],
  ["a/../b", undefined],
];

for (const [text, expected] of references) {
  test(`'${text}' ${expected === undefined ? "is no image reference" : `is pulled from ${expected[2]}`}`, () => {
    const found = parseImageReference(text);
    assert.deepEqual(found && [found.repository, found.version, found.registry], expected);
  });
}

test("a log-in is found in every form in which docker login has left it", async () => {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-auth-"));
  try {
    const lines: string[] = [];
    const env = { DOCKER_CONFIG: dir, PATH: `${dir}:${process.env.PATH}` };
    const find = (registry: string) => findRegistryAuth(registry, env, (line) => void lines.push(line));
    const configure = (config: unknown) => writeFile(join(dir, "config.json"), JSON.stringify(config));
    const basic = Buffer.from("me:pass:with:colons").toString("base64");
    const mine = { username: "me", password: "pass:with:colons" };

    assert.equal(await find("ghcr.io"), undefined);
    await configure({
      auths: {
        "ghcr.io": { auth: basic },
        "https://index.docker.io/v1/": { auth: basic },
        "https://old.example/v2/": { username: "u", password: "p" },
      },
    });
    assert.deepEqual(await find("ghcr.io"), { ...mine, serveraddress: "ghcr.io" });
    assert.deepEqual(await find("docker.io"), { ...mine, serveraddress: "https://index.docker.io/v1/" });
    assert.deepEqual(await find("old.example"), { username: "u", password: "p", serveraddress: "old.example" });
    assert.equal(await find("other.example"), undefined);

    await configure({ auths: { "ghcr.io": { identitytoken: "t" } } });
    assert.deepEqual(await find("ghcr.io"), { identitytoken: "t", serveraddress: "ghcr.io" });

    await writeFile(
      join(dir, "docker-credential-fake"),
      '#!/bin/sh\nread -r host\n[ "$host" = known.example ] || { echo credentials not found; exit 1; }\necho \'{"Username":"<token>","Secret":"s3"}\'\n',
    );
    await chmod(join(dir, "docker-credential-fake"), 0o755);
    await configure({ credsStore: "fake", auths: { "known.example": {}, "ghcr.io": { auth: basic } } });
    assert.deepEqual(await find("known.example"), { identitytoken: "s3", serveraddress: "known.example" });
    assert.deepEqual(await find("ghcr.io"), { ...mine, serveraddress: "ghcr.io" });
    await configure({ credHelpers: { "known.example": "absent" } });
    assert.equal(await find("known.example"), undefined);
    assert.match(lines.at(-1) ?? "", /docker-credential-absent .* not installed/);
    await configure({ credHelpers: { "known.example": "../../bin/sh" } });
    assert.equal(await find("known.example"), undefined);

    await writeFile(join(dir, "config.json"), '{"auths": {"x": {"auth": "canary-secret"');
    assert.equal(await find("x"), undefined);
    assert.ok(!lines.join("\n").includes("canary"));
  } finally {
    await rm(dir, { recursive: true });
  }
});

test("the header is padded: engines silently ignore one that is not", () => {
  for (const username of ["a", "ab", "abc", "ü?>"]) {
    const header = encodeRegistryAuth({ username, password: "p", serveraddress: "h" });
    assert.equal(header.length % 4, 0);
    assert.match(header, /^[A-Za-z0-9_-]+=*$/);
    assert.deepEqual(JSON.parse(Buffer.from(header, "base64url").toString()), { username, password: "p", serveraddress: "h" });
  }
});
