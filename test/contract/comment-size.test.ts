import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { codeBlock, md } from "../../src/untrusted/markdown.ts";
import { bodies, marker, startServer, write } from "./comment-steps.ts";

describe("the size of a comment", { concurrency: 40 }, () => {
  test("takes the fullest rendering that should fit", async (t) => {
    const server = await startServer(t);
    const end = await write(server, [codeBlock("x".repeat(70_000), 70_000), md`fits`]);
    assert.equal(end.kind === "written" && end.shortened, true);
    assert.deepEqual(bodies(server), [`${marker("100")}fits`]);
  });

  test("becomes smaller until GitHub takes it", async (t) => {
    const server = await startServer(t, { repository: { maxBodyChars: 5000 } });
    const verdict = md`**failed**\n`;
    const end = await write(server, [md`${verdict}${codeBlock("line\n".repeat(9000), 50_000)}`], { data: "d".repeat(100) });
    assert.equal(end.kind === "written" && end.shortened, true);
    const [body = ""] = bodies(server);
    assert.ok(body.length <= 3000, `${body.length} characters`);
    assert.match(body, /data=d{100} -->\n\*\*failed\*\*\n[\s\S]*\n```\n[\s\S]*The report was cut here/);
  });

  test("forgets what it would remember before there is none at all", async (t) => {
    const server = await startServer(t, { repository: { maxBodyChars: 300 } });
    await write(server, [md`${codeBlock("line\n".repeat(900), 50_000)}`], { data: "d".repeat(1000) });
    const [body = ""] = bodies(server);
    assert.match(body, / data= -->\n\*\*The report is too large for a comment\.\*\*/);
  });

  test("that GitHub takes in no size is a failure with its words", async (t) => {
    const server = await startServer(t, { repository: { maxBodyChars: 10 } });
    const end = await write(server, [md`ours`]);
    assert.match(end.kind === "failed" ? end.why : "", /Body is too long/);
  });
});
