import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { EnvironmentError } from "../../../../src/errors.ts";
import { dockerSchema } from "../../../../src/plan/schema/docker-schema.ts";
import { planBuild } from "../../../../src/sandbox/docker/build.ts";
import { buildCommand } from "../../../../src/sandbox/docker/build-command.ts";
import { hashBuild } from "../../../../src/sandbox/docker/build-context.ts";

const buildOf = (build: object) => dockerSchema.parse({ build }).build;
const place = { dockerfile: "/t/Dockerfile", context: "/t", tag: "evalbatch-build:1", args: {} };
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
  const build = buildOf({ secrets: ["id=x,env=X"], extra_args: ["--target", "final"] });
  const { args, env } = buildCommand(
    { ...place, build, args: { A: "1-h", PATH: "/opt" } },
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

test("a secret in the open and secrets without BuildKit are warned of", () => {
  const warnings = (args: Record<string, string>, build: object = {}) =>
    buildCommand({ ...place, args, build: buildOf(build) }, {}, false).warnings;
  assert.deepEqual(warnings({ PLAIN: "x" }), []);
  assert.match(warnings({ NPM_TOKEN: "canary" }).join(), /NPM_TOKEN looks like a secret/);
  assert.ok(!warnings({ NPM_TOKEN: "canary" }).join().includes("canary"));
  assert.match(warnings({}, { secrets: ["id=x"], buildkit: false }).join(), /need BuildKit/);
});

test("a build gets the values of its arguments' variables, and a `~` as it stands", async () => {
  const args = { A: "1-$HOST", B: "${EMPTY}", C: "~/5$ $1", D: "$LITERAL" };
  const plan = await planIn("plain", args, { HOST: "h", EMPTY: "", LITERAL: "$HOST", HOME: "/home/x" });
  assert.deepEqual(plan.args, { A: "1-h", B: "", C: "~/5$ $1", D: "$HOST" });
});

test("a build with a variable that is not set, or that no build is given, does not start: its name is no value", async () => {
  const args = { PLAIN: "x", UNSET: "a-$NOPE-${ALSO}", STOLEN: "${GITHUB_TOKEN}" };
  await assert.rejects(planIn("plain", args, { GITHUB_TOKEN: "canary" }), (error) => {
    assert.ok(error instanceof EnvironmentError && error.code === "build-argument");
    assert.equal(
      error.message,
      "the variable NOPE in the build argument 'UNSET' is not set; the variable ALSO in the build argument 'UNSET' is not set; " +
        "the variable GITHUB_TOKEN in the build argument 'STOLEN' is given to no build",
    );
    assert.match(error.hint ?? "", /sandbox\.docker\.build\.args/);
    return true;
  });
});

test("the folder of a Dockerfile is taken as it is named: its variables were replaced when the task was read", async () => {
  for (const name of ["$HOST", "a ${NOPE}", "~"]) {
    const plan = await planIn(name, {}, { HOST: "h", HOME: "/nowhere" });
    assert.ok(plan.context.endsWith(`/${name}`), plan.context);
  }
});

async function planIn(folder: string, args: Record<string, string>, env: Record<string, string>) {
  const dir = await mkdtemp(join(tmpdir(), "evalbatch-plan-"));
  try {
    await mkdir(join(dir, folder));
    await writeFile(join(dir, folder, "Dockerfile"), "FROM scratch\n");
    const docker = dockerSchema.parse({ dockerfile_path: join(dir, folder, "Dockerfile"), build: { args } });
    return await planBuild(docker, "/elsewhere", env, never);
  } finally {
    await rm(dir, { recursive: true });
  }
}

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
