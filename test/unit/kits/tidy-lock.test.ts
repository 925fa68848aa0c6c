import assert from "node:assert/strict";
import test from "node:test";
import { tidyLock } from "../../../scripts/kits/tidy-lock.ts";

const integrity = "sha512-x";
const at = (name: string, more: object = {}) => ({
  version: "1.0.0",
  resolved: `https://mirror.example/${name}/-/${name}-1.0.0.tgz`,
  integrity,
  ...more,
});

test("a lock keeps what a kit installs: glibc Linux, from the public registry, without what is missing", () => {
  const lock = {
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { a: "1.0.0" } },
      "node_modules/a": at("a", {
        license: "MIT",
        optionalDependencies: { linux: "1.0.0", mac: "1.0.0", musl: "1.0.0", gone: "1.0.0", nested: "1.0.0" },
      }),
      "node_modules/a/node_modules/nested": at("nested"),
      "node_modules/linux": at("linux", { os: "linux", cpu: ["x64"], libc: ["glibc"] }),
      "node_modules/mac": at("mac", { os: ["darwin"] }),
      "node_modules/musl": at("musl", { os: ["linux"], libc: ["musl"] }),
      "node_modules/not-windows": at("not-windows", { os: ["!win32"] }),
      "node_modules/b/node_modules/c": at("c", { optionalDependencies: { linux: "1.0.0" } }),
    },
  };
  const resolved = (name: string) => ({ version: "1.0.0", integrity, resolved: `https://registry.npmjs.org/${name}/-/${name}-1.0.0.tgz` });
  assert.deepEqual(tidyLock(JSON.stringify(lock)), {
    lockfileVersion: 3,
    packages: {
      "": { dependencies: { a: "1.0.0" } },
      "node_modules/a": { ...resolved("a"), optionalDependencies: { linux: "1.0.0", nested: "1.0.0" } },
      "node_modules/a/node_modules/nested": resolved("nested"),
      "node_modules/linux": { ...resolved("linux"), os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
      "node_modules/not-windows": { ...resolved("not-windows"), os: ["!win32"] },
      "node_modules/b/node_modules/c": { ...resolved("c"), optionalDependencies: { linux: "1.0.0" } },
    },
  });
});

test("a package without a digest is refused", () => {
  const lock = { packages: { "": {}, "node_modules/a": { version: "1.0.0" } } };
  assert.throws(() => tidyLock(JSON.stringify(lock)), /node_modules\/a has no digest/);
});
