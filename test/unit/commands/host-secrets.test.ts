import assert from "node:assert/strict";
import test from "node:test";
import { hostSecrets } from "../../../src/commands/host-secrets.ts";

test("values of the host whose names look secret are secrets", () => {
  const env = {
    ACTIONS_RUNTIME_TOKEN: "eyJhbGciOi.runtime",
    GITHUB_TOKEN: "ghs_0123456789",
    "INPUT_GITHUB-TOKEN": "ghs_abcdefghij0",
    ANTHROPIC_API_KEY: "sk-ant-0123456789",
    DB_PASSWORD: "hunter2!",
    DB_PASS: "tr0ub4dor",
    MY_PAT: "p4t-0123456789",
    HTTP_AUTH: "Basic dXNlcjpwYXNz",
    AZURE_SAS_URL: "https://store.example/c?sig=abcdef",
    SLACK_WEBHOOK_URL: "https://hooks.example/services/T0001/B0001/abcdefghijklmnopqrstuvwxyz0123456789",
    AWS_SECRET_ACCESS_KEY: "/wJalrXUtnFEMI/K7MDENG+bPxRfiCY",
    PLAIN: "not-by-its-name",
  };
  const { PLAIN, ...secrets } = env;
  assert.deepEqual(hostSecrets(env), Object.values(secrets));
});

test("values that would shred every text, and names that only tell about a secret, are left alone", () => {
  const reasons: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    short: { A_KEY: "test", B_TOKEN: "true", C_SECRET: "a1b2c", EMPTY_TOKEN: "", BLANK_TOKEN: "          " },
    word: {
      KEY_ENV: "production",
      TOKENIZERS_PARALLELISM: "disabled",
      SECRET_MODE: "read-only",
      KEY_KIND: "service_account",
      K_KEY: "PRODUCTION",
    },
    number: { MAX_TOKENS: "100000", TOKEN_RATE: "1000.50", TOKEN_DAY: "2026-11-01" },
    path: {
      SSH_KEY: "/home/runner/.ssh/id_ed25519",
      GOOGLE_APPLICATION_CREDENTIALS: "/tmp/gha-creds-0123.json",
      KEY: "C:\\keys\\a.pem",
      T_KEY: "./a/b.pem",
    },
    address: { ACTIONS_ID_TOKEN_REQUEST_URL: "https://token.actions.example/v2/", KEY_SERVER: "hkps://keys.openpgp.org" },
    "about one": {
      KEYVAULT_NAME: "kv-prod-eu-01",
      SSH_AUTH_SOCK: "agent.4711.x",
      "INPUT_COMMENT-KEY": "evals/nightly-1",
      TOKEN_TYPE: "bearer-v2-x",
    },
    public: {
      HOME: "/root",
      GITHUB_REPOSITORY: "octo-org/evals-2",
      REPO_KEY: "octo-org/evals-2",
      USER: "runner-42",
      TOKEN_USER: "runner-42",
    },
  };
  for (const [why, env] of Object.entries(reasons)) assert.deepEqual(hostSecrets(env), [], why);
});

test("a public variable that is empty makes no value public, and a secret one none either", () => {
  assert.deepEqual(hostSecrets({ HOME: "", GITHUB_TOKEN: "ghs_0123456789", A_TOKEN: "ghs_0123456789" }), ["ghs_0123456789"]);
});
