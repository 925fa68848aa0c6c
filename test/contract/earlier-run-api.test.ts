import assert from "node:assert/strict";
import test from "node:test";
import type { FakeRun, FakeRunArtifact } from "../fakes/rest-actions-routes.ts";
import type { ResultsService } from "../fakes/results-service.ts";
import { service } from "./artifact-harness.ts";
import { ask, assertFound, assertNone, originFor, restApi, runId, runZip } from "./earlier-run-harness.ts";

/** Uploads the artifact of a run of the job `evals`, which is to be had by GitHub's API alone. */
function uploaded(at: ResultsService, run: number, facts: Partial<FakeRunArtifact> & { attempt?: number } = {}): FakeRunArtifact {
  const { attempt = 1, ...rest } = facts;
  const name = `evalbatch-evals-${attempt}`;
  const put = at.put({ name: `${run}-${name}`, content: runZip(originFor({ attempt, runId: run })) });
  return { id: put.id, name, url: put.url, ...rest };
}

const own: FakeRun = { id: runId, status: "in_progress" };
const latest = { from: "latest", origin: originFor({ attempt: 1 }) };
const fork = { id: 66, full_name: "mallory/evals" };

test("an attempt that the runner's token does not show is found by GitHub's API", async (t) => {
  const at = await service(t);
  const api = await restApi(t, { repository: { token: "t0ken", runs: [{ ...own, artifacts: [uploaded(at, runId)] }] } });
  const asked = await ask(t, { at, api });
  const { source } = assertFound(asked);
  assert.equal(source.workflow_run_attempt, 1);
  assert.equal(at.requests[0]?.place, "ListArtifacts");
  assert.ok(!asked.told.includes("t0ken"));
  for (const form of [at.signature, encodeURIComponent(at.signature)]) assert.ok(!asked.told.includes(form));
});

test("the API is asked for nothing where the runner's token shows enough", async (t) => {
  const at = await service(t, { stored: [{ name: "evalbatch-evals-1", content: runZip(originFor({ attempt: 1 })) }] });
  const api = await restApi(t);
  assertFound(await ask(t, { at, api }));
  assert.equal(api.requests.length, 0);
});

test("finds an artifact on a later page", async (t) => {
  const at = await service(t);
  const others = Array.from({ length: 230 }, (_, index) => ({ id: 5000 + index, name: `other-${index}` }));
  const api = await restApi(t, { repository: { runs: [{ ...own, artifacts: [...others, uploaded(at, runId)] }] } });
  assertFound(await ask(t, { at, api }));
  assert.equal(api.requests.filter(({ path }) => path.includes(`/runs/${runId}/artifacts`)).length, 3);
});

test("a token that may not read actions is told what it lacks, and nothing fails for it", async (t) => {
  const at = await service(t);
  const api = await restApi(t, { repository: { readsActions: false, runs: [own] } });
  const remedy =
    /403: Resource not accessible by integration\); give the job these permissions:\npermissions:\n {2}contents: read\n {2}actions: read/;
  assertNone(await ask(t, { at, api }), remedy);
  for (const from of ["latest", "5"]) assertNone(await ask(t, { at, api, request: { from, origin: originFor({ attempt: 1 }) } }), remedy);
});

test("resume-from needs a token, and says so", async (t) => {
  assertNone(await ask(t, { request: latest }), /`resume-from` needs a token: leave `github-token`/);
});

test("a run that is named gives its newest attempt", async (t) => {
  const at = await service(t);
  const artifacts = [1, 2].map((attempt) => uploaded(at, 5, { attempt, createdAt: `2026-11-0${attempt}T00:00:00Z` }));
  const api = await restApi(t, {
    repository: { runs: [own, { id: 5, attempt: 3, workflowId: 1, event: "schedule", branch: "other", artifacts }] },
  });
  const { source } = assertFound(await ask(t, { at, api, request: { from: "5", origin: originFor({ attempt: 1 }) } }));
  assert.deepEqual(source, {
    kind: "artifact",
    artifact: "evalbatch-evals-2",
    url: `https://github.com/octo-org/evals/actions/runs/5/artifacts/${artifacts[1]?.id}`,
    workflow_run_id: "5",
    workflow_run_attempt: 2,
  });
});

test("a run that is named must be there, and of this repository's own code", async (t) => {
  const at = await service(t);
  const runs = [own, { id: 5, head: fork, artifacts: [uploaded(at, 5)] }, { id: 6, head: null, artifacts: [uploaded(at, 6)] }];
  const api = await restApi(t, { repository: { runs } });
  const from = (id: string) => ask(t, { at, api, request: { from: id, origin: originFor({ attempt: 1 }) } });
  assertNone(
    await from("4"),
    /workflow run 4 could not be looked up \(404: Not Found\); there is no such thing, or the token may not see it/,
  );
  assertNone(await from("5"), /workflow run 5 ran code of another repository \(mallory\/evals\), whose results are not taken/);
  assertNone(await from("6"), /another repository \(one that was deleted\)/);
});

test("a re-run goes on from its own attempt first, and from the named run where there is none", async (t) => {
  const at = await service(t);
  const runs: FakeRun[] = [own, { id: 5, artifacts: [uploaded(at, 5)] }];
  const api = await restApi(t, { repository: { runs } });
  const request = { from: "5", origin: originFor({ attempt: 2 }) };
  assert.equal(assertFound(await ask(t, { at, api, request })).source.workflow_run_id, "5");
  api.repository.runs = [{ ...own, artifacts: [uploaded(at, runId)] }, ...runs.slice(1)];
  assert.equal(assertFound(await ask(t, { at, api, request })).source.workflow_run_id, String(runId));
});

test("latest is the newest completed run of this workflow, event, branch and repository", async (t) => {
  const at = await service(t);
  const branch = "patch-1";
  const like = (id: number, facts: Partial<FakeRun> = {}): FakeRun => ({
    id,
    event: "pull_request",
    branch,
    artifacts: [uploaded(at, id)],
    ...facts,
  });
  const runs = [
    like(1),
    like(2),
    like(3, { workflowId: 78 }),
    like(4, { event: "push" }),
    like(5, { branch: "main" }),
    like(6, { status: "in_progress" }),
    like(8, { head: fork }),
    like(9, { head: null }),
    like(10, { conclusion: "skipped" }),
    like(11, { conclusion: "cancelled", artifacts: [] }),
    like(runId, { status: "in_progress", artifacts: [] }),
  ];
  const api = await restApi(t, { repository: { runs } });
  assert.equal(assertFound(await ask(t, { at, api, request: latest })).source.workflow_run_id, "2");
  const asked = api.requests.flatMap(({ path }) => /runs\/(\d+)\/artifacts/.exec(path)?.[1] ?? []);
  assert.deepEqual(asked, ["11", "2"]);
});

test("a fork's pull request takes from its own fork's branch only, and nobody else from it", async (t) => {
  const at = await service(t);
  const run = (id: number, head: FakeRun["head"]): FakeRun => ({
    id,
    event: "pull_request",
    branch: "main",
    head: head ?? null,
    artifacts: [uploaded(at, id)],
  });
  const home = { id: 1, full_name: "octo-org/evals" };
  const api = await restApi(t, {
    repository: { runs: [run(3, home), run(4, { id: 67, full_name: "other/evals" }), { ...run(runId, fork), artifacts: [] }] },
  });
  assertNone(
    await ask(t, { at, api, request: latest }),
    /no artifact with results of this job was found from an earlier run of the workflow for this branch/,
  );
  api.repository.runs.push(run(2, fork));
  assert.equal(assertFound(await ask(t, { at, api, request: latest })).source.workflow_run_id, "2");
  // The fork was deleted: whose branch it was cannot be told any more.
  api.repository.runs = api.repository.runs.map((known) => (known.head?.id === fork.id ? { ...known, head: null } : known));
  assertNone(await ask(t, { at, api, request: latest }), /no artifact/);
});

test("latest says nothing of events that run on the default branch for somebody else", async (t) => {
  for (const event of ["workflow_run", "pull_request_target", "issue_comment"]) {
    const at = await service(t);
    const api = await restApi(t, {
      repository: {
        runs: [
          { ...own, event },
          { id: 5, event, artifacts: [uploaded(at, 5)] },
        ],
      },
    });
    assertNone(await ask(t, { at, api, request: latest }), new RegExp(`a run for "${event}" does not have for itself: give the id`));
  }
});

test("latest looks at so many runs and no more", async (t) => {
  const at = await service(t);
  const strangers = Array.from({ length: 60 }, (_, index): FakeRun => ({ id: 1000 + index, head: fork }));
  const empty = Array.from({ length: 30 }, (_, index): FakeRun => ({ id: 100 + index }));
  const api = await restApi(t, { repository: { runs: [own, ...strangers, ...empty, { id: 5, artifacts: [uploaded(at, 5)] }] } });
  assertNone(await ask(t, { at, api, request: latest }), /no artifact/);
  assert.equal(api.requests.filter(({ path }) => path.includes("/workflows/")).length, 2);
  assert.equal(api.requests.filter(({ path }) => path.includes("/artifacts")).length, 20);
  api.repository.runs = [
    own,
    ...strangers,
    ...strangers.map((run) => ({ ...run, id: run.id + 100 })),
    ...strangers.map((run) => ({ ...run, id: run.id + 200 })),
  ];
  api.requests.length = 0;
  assertNone(await ask(t, { at, api, request: latest }), /no artifact/);
  assert.equal(api.requests.filter(({ path }) => path.includes("/workflows/")).length, 3);
});

test("expired artifacts are passed over and named as the reason", async (t) => {
  const at = await service(t);
  const api = await restApi(t, { repository: { runs: [own, { id: 5, artifacts: [uploaded(at, 5, { expired: true })] }] } });
  const request = { from: "5", origin: originFor({ attempt: 1 }) };
  assertNone(await ask(t, { at, api, request }), /1 artifacts of workflow run 5 have expired: a longer `retention-days` keeps them/);
  // Expired between the list and the download.
  api.repository.runs = [own, { id: 5, artifacts: [{ id: 1, name: "evalbatch-evals-1" }] }];
  assertNone(await ask(t, { at, api, request }), /was not used: it was deleted or has expired/);
});

test("a digest that the API tells is checked", async (t) => {
  const at = await service(t);
  const artifacts = [uploaded(at, 5, { digest: `sha256:${"0".repeat(64)}` })];
  const api = await restApi(t, { repository: { runs: [own, { id: 5, artifacts }] } });
  assertNone(await ask(t, { at, api, request: { from: "5", origin: originFor({ attempt: 1 }) } }), /another digest than the service told/);
});

test("an API that has trouble is asked again, and one that is broken is no exception", async (t) => {
  const at = await service(t);
  const api = await restApi(t, { repository: { runs: [own, { id: 5, artifacts: [uploaded(at, 5)] }] } });
  const request = { from: "5", origin: originFor({ attempt: 1 }) };
  api.faults.push({ path: /runs\/5$/, answer: { status: 502, body: "<html>" } });
  assertFound(await ask(t, { at, api, request }));
  for (const body of ["<html>", [], { workflow_runs: 5, artifacts: 5 }, null, { id: "x" }]) {
    api.faults.push({ path: /runs\/5/, answer: { status: 200, body }, times: 9 });
    assertNone(await ask(t, { at, api, request }), /not of its documented form|could not be looked up/);
    api.faults.length = 0;
  }
  api.faults.push({ path: /runs\/5\/artifacts/, answer: { status: 200, body: { artifacts: [null, {}, { id: "1", name: 5 }, 7] } } });
  assertNone(await ask(t, { at, api, request }), /no artifact/);
});
