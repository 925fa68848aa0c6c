import assert from "node:assert/strict";
import test from "node:test";
import { createRedactor } from "../../../../src/untrusted/redact.ts";
import { noAgentTask } from "../task-folder.ts";
import { dockerTask, hiding, stampFiles } from "./stamped.ts";

// A digest of a short secret is the secret: whoever has the file tries all of them.

const secrets = ["hunter2hunter", "swordfish-77"] as const;

/** The same files with the one and with the other secret, which is known each time. */
async function both(files: (secret: string) => Record<string, string>) {
  const [one, two] = await Promise.all(secrets.map((secret) => stampFiles(files(secret), { redact: hiding(secret) })));
  assert.ok(one !== undefined && two !== undefined);
  return [one, two] as const;
}

test("a secret in a setting, a text or a name is hidden, and its digest too", async () => {
  const [one, two] = await both((secret) => ({
    "t.yaml": dockerTask(`pre_run: [{command: "login ${secret}"}]\n`, `, build: {args: {KEY: "${secret}", ${secret}: x}}`)
      .replace("Do it", `Do it with ${secret}`)
      .replace("path: a.txt", `path: "${secret}.txt"`),
  }));
  assert.deepEqual(one.stamp, two.stamp);
  assert.ok(!secrets.some((secret) => JSON.stringify([one.stamp, two.stamp]).includes(secret)));
  assert.deepEqual(one.stamp.settings["sandbox.docker.build.args"]?.value, { "***": "x", KEY: "***" });
});

test("what is around a secret still counts", async () => {
  const [secret] = secrets;
  const [one, two] = await Promise.all(
    ["a", "b"].map((host) =>
      stampFiles({ "t.yaml": dockerTask("", `, build: {args: {URL: "https://${secret}@${host}"}}`) }, { redact: hiding(secret) }),
    ),
  );
  assert.notEqual(one?.stamp.digest, two?.stamp.digest);
});

test("a secret in a file is hidden before the file is digested, also far behind in a large one and in its name", async () => {
  const yaml = noAgentTask("t", "sandbox: {template_sources: [{type: template_dir, path: app}]}\n");
  const line = `${"x".repeat(99)}\n`;
  const [one, two] = await both((secret) => ({
    "t.yaml": yaml,
    "app/.env": `TOKEN=${secret}\n`,
    // The secret stands across the end of the first piece.
    "app/large": `${line.repeat(10_485)}${"y".repeat(70)}${secret}\n${line.repeat(11_000)}`,
    [`app/${secret}`]: "1",
  }));
  assert.deepEqual(one.stamp, two.stamp);
  assert.deepEqual(one.stamps.folders, two.stamps.folders);
  assert.ok(!secrets.some((secret) => JSON.stringify([one.stamps.folders, two.stamps.folders]).includes(secret)));
});

test("large files differ by any byte, wherever it is", async () => {
  const yaml = noAgentTask("t", "sandbox: {template_sources: [{type: template_dir, path: app}]}\n");
  const bytes = (at: number) => {
    const all = Buffer.alloc(3 * 1024 * 1024 + 5, "ab\n");
    if (at >= 0) all[at] = 0;
    return all;
  };
  const digests = await Promise.all(
    [-1, 0, 1024 * 1024 - 1, 1024 * 1024, 3 * 1024 * 1024 + 4].map(
      async (at) => (await stampFiles({ "t.yaml": yaml, "app/large": bytes(at) })).stamp.digest,
    ),
  );
  assert.equal(new Set(digests).size, digests.length);
});

test("with the redactor that is used a token that nobody knows of is hidden by its shape", async () => {
  const token = (letter: string) => `ghp_${letter.repeat(36)}`;
  const { redact } = createRedactor([]);
  const [one, two] = await Promise.all(
    ["a", "b"].map((letter) =>
      stampFiles({ "t.yaml": dockerTask("", `, build: {args: {X: "${token(letter)}"}}`) }, { redact: (text) => redact(text).text }),
    ),
  );
  assert.equal(one?.stamp.digest, two?.stamp.digest);
});

test("values of variables that are passed on by name are nowhere, their names are", async () => {
  const yaml = dockerTask("", ", env_passthrough: [API_KEY]");
  const [one, two] = await Promise.all(
    ["first-value", "second-value"].map((API_KEY) => stampFiles({ "t.yaml": yaml }, { env: { API_KEY } })),
  );
  assert.deepEqual(one?.stamp, two?.stamp);
  assert.deepEqual(one?.stamp.settings["sandbox.docker.env_passthrough"]?.value, ["API_KEY"]);
});
