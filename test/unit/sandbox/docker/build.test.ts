import assert from "node:assert/strict";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { dockerSchema } from "../../../../src/plan/schema/docker-schema.ts";
import { buildCommand } from "../../../../src/sandbox/docker/build-command.ts";
import { hashBuild } from "../../../../src/sandbox/docker/build-context.ts";

const buildOf = (build: object) => dockerSchema.parse({ build }).build;
const place = { dockerfile: "/t/Dockerfile", context: "/t", tag: "evalbatch-build:1" };
const fixed = ["-t", "evalbatch-build:1", "--label", "evalbatch.built=1", "-f", "/t/Dockerfile"];
const never = new AbortController().signal;

test("buildx is used when it is there and BuildKit is not switched off; the plain builder leaves no container of a failed step", () => {
  const first = (build: object, hostEnv: Record<string, string>, hasBuildx: boolean) => {
    const { args, env } = buildCommand({ ...place, build: buildOf(build) }, hostEnv, hasBuildx);
    return [args.slice(0, args.indexOf("-t")).join(" "), env.DOCKER_BUILDKIT];
  };
  assert.deepEqual(first({}, {}, true), ["buildx build --load", undefined]);
  assert.deepEqual(first({}, {}, false), ["build --force-rm", undefined]);
  assert.deepEqual(first({ buildkit: true }, {}, true), ["buildx build --load", "1"]);
  assert.deepEqual(first({ buildkit: true }, {}, false), ["build", "1"]);
  assert.deepEqual(first({ buildkit: false }, { DOCKER_BUILDKIT: "1" }, true), ["build --force-rm", "0"]);
  assert.deepEqual(first({}, { DOCKER_BUILDKIT: "0" }, true), ["build --force-rm", "0"]);
});

test("values of arguments are in the environment only, secrets and extra arguments come before the context", () => {
  const build = buildOf({ args: { A: "1-$HOST", PATH: "/opt" }, secrets: ["id=x,env=X"], extra_args: ["--target", "final"] });
  const { args, env } = buildCommand(
    { ...place, build },
    { HOST: "h", PATH: "/bin", GITHUB_TOKEN: "canary", ACTIONS_RUNTIME_TOKEN: "canary" },
    false,
  );
  assert.deepEqual(args, [
    "build",
    "--force-rm",
    ...fixed,
    "--build-arg",
    "A",
    "--build-arg",
    "PATH=/opt",
    "--secret",
    "id=x,env=X",
    "--target",
    "final",
    "/t",
  ]);
  assert.deepEqual(env, { HOST: "h", PATH: "/bin", A: "1-h" });
});

test("an undefined variable, a secret in the open and secrets without BuildKit are warned of", () => {
  const warnings = (build: object, hostEnv = {}) => buildCommand({ ...place, build: buildOf(build) }, hostEnv, false).warnings;
  assert.deepEqual(warnings({ args: { PLAIN: "x" } }), []);
  assert.match(warnings({ args: { PLAIN: "$NOPE" } }).join(), /PLAIN uses the undefined variable NOPE/);
  assert.match(warnings({ args: { PLAIN: "$GITHUB_TOKEN" } }, { GITHUB_TOKEN: "canary" }).join(), /undefined variable GITHUB_TOKEN/);
  assert.match(warnings({ args: { NPM_TOKEN: "canary" } }).join(), /NPM_TOKEN looks like a secret/);
  assert.ok(
    !warnings({ args: { NPM_TOKEN: "canary" } })
      .join()
      .includes("canary"),
  );
  assert.match(warnings({ secrets: ["id=x"], buildkit: false }).join(), /need BuildKit/);
});

test("the digest of a build changes with everything that goes into it, and with nothing else", async () => {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-context-"));
  try {
    const dockerfile = join(dir, "Dockerfile");
    await writeFile(dockerfile, "FROM scratch\n");
    await writeFile(join(dir, "a"), "a");
    const digest = (build = buildOf({}), args: Record<string, string> = {}) => hashBuild(dockerfile, dir, build, args, never);
    const seen = new Set<string | undefined>();
    const first = await digest();
    assert.match(first ?? "", /^[0-9a-f]{24}$/);
    assert.equal(await digest(), first);
    seen.add(first);
    const changes: readonly (() => Promise<unknown>)[] = [
      async () => await writeFile(join(dir, "a"), "b"),
      async () => await chmod(join(dir, "a"), 0o755),
      async () => await writeFile(join(dir, "b"), ""),
      async () => await symlink("a", join(dir, "link")),
      async () => await writeFile(dockerfile, "FROM scratch\nLABEL x=y\n"),
    ];
    for (const change of changes) {
      await change();
      const next = await digest();
      assert.ok(!seen.has(next));
      seen.add(next);
    }
    for (const [build, args] of [
      [buildOf({}), { A: "1" }],
      [buildOf({}), { A: "2" }],
      [buildOf({ extra_args: ["--target=x"] }), {}],
      [buildOf({ buildkit: true }), {}],
      [buildOf({ secrets: ["id=x"] }), {}],
    ] as const) {
      const next = await digest(build, args);
      assert.ok(!seen.has(next));
      seen.add(next);
    }
    await assert.rejects(hashBuild(dockerfile, dir, buildOf({}), {}, AbortSignal.abort(new Error("stop"))), /stop/);
  } finally {
    await rm(dir, { recursive: true });
  }
});
