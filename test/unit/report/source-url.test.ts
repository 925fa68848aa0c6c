import assert from "node:assert/strict";
import test from "node:test";
import { sourceUrl } from "../../../src/report/source-url.ts";

const run = "https://github.com/acme/agent/actions/runs/1";
const own = "https://ghes.example:8443/acme/agent/actions/runs/1/attempts/2";

test("a page of the run's own repository is a link", () => {
  assert.equal(sourceUrl(`${run}/artifacts/2`, run), `${run}/artifacts/2`);
  assert.equal(sourceUrl(`${run}/attempts/1`, `${run}/attempts/2`), `${run}/attempts/1`);
  const earlier = "https://ghes.example:8443/acme/agent/actions/runs/7/artifacts/9";
  assert.equal(sourceUrl(earlier, own), earlier);
});

test("where nobody knows the repository, only github.com is", () => {
  assert.equal(sourceUrl(`${run}/artifacts/2`, undefined), `${run}/artifacts/2`);
  assert.equal(sourceUrl(own, undefined), undefined);
});

test("another place is none, whatever it looks like", () => {
  const others = [
    "https://github.com/acme/other/actions/runs/1/artifacts/2",
    "https://github.com.evil.example/acme/agent/actions/runs/1",
    "https://evil.example/https://github.com/acme/agent/actions/runs/1",
    "https://github.com@evil.example/acme/agent/actions/runs/1",
    `${run}/artifacts/2?next=https://evil.example`,
    `${run}/artifacts/2\nhttps://evil.example`,
    "http://github.com/acme/agent/actions/runs/1",
    "javascript:alert(1)",
    "",
  ];
  for (const url of others) assert.equal(sourceUrl(url, run), undefined, url);
  assert.equal(sourceUrl(null, run), undefined);
});
