import assert from "node:assert/strict";
import { test } from "node:test";
import { secretValues } from "../../../src/untrusted/secret-values.ts";

test("headers that an agent gets are secret, each value for itself too", () => {
  const lines = secretValues("ANTHROPIC_CUSTOM_HEADERS", "Authorization: Bearer abc-123-def\nX-Gateway: inner-value");
  assert.ok(["Bearer abc-123-def", "abc-123-def", "inner-value"].every((value) => lines.includes(value)));
  const json = secretValues("COPILOT_PROVIDER_HEADERS", '{"x-gateway":"inner-value","n":1}');
  assert.ok(json.includes("inner-value"));
});

test("of an address only the password is secret", () => {
  assert.deepEqual(secretValues("OPENAI_BASE_URL", "https://me:pa%2Fss-word@gateway.example/v1"), ["pa%2Fss-word", "pa/ss-word"]);
  assert.deepEqual(secretValues("OPENAI_BASE_URL", "https://gateway.example:8443/v1?a=b:c@d"), []);
});

test("a variable is secret as a whole by its name", () => {
  assert.deepEqual(secretValues("OPENAI_API_KEY", "sk-1"), ["sk-1"]);
  assert.deepEqual(secretValues("OPENAI_MODEL", "large"), []);
});
