import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { categorise, categoryOfStatus } from "../../../src/agents/categorise.ts";
import { asksToWaitMs, categoryOfText } from "../../../src/agents/error-words.ts";

const exited = { exitCode: 1, killedBy: undefined, stderr: "" };
const failed = (message: string, apiStatus?: number) => ({ kind: "failed", message, apiStatus }) as const;

test("the status of the service decides, whatever stands around it", () => {
  const table: [status: number, message: string, category: string][] = [
    [401, "invalid api key", "agent_auth_error"],
    [403, "forbidden", "agent_auth_error"],
    [402, "pay first", "agent_billing_error"],
    [429, "rate limited", "agent_rate_limit"],
    [429, "You exceeded your current quota, please check your plan and billing details.", "agent_billing_error"],
    [429, "You exceeded your current quota, please check your plan. Please retry in 32.5s.", "agent_rate_limit"],
    [429, "Quota exceeded for requests per minute", "agent_rate_limit"],
    [408, "", "agent_api_error"],
    [500, "internal error", "agent_api_error"],
    [503, "billing service unavailable", "agent_api_error"],
    [529, "overloaded", "agent_api_error"],
    [400, "unknown parameter", "agent_config_error"],
    [404, "model: gpt-9 not found", "agent_config_error"],
    [422, "wrong", "agent_config_error"],
    [400, "prompt is too long: 210000 tokens > 200000 maximum", "agent_invalid_output"],
    [400, "Output blocked by content filtering policy", "agent_invalid_output"],
    [400, "This model's maximum context length is 8192 tokens", "agent_invalid_output"],
    [413, "request too large", "agent_invalid_output"],
    [400, "Your credit balance is too low to access the API", "agent_billing_error"],
    [400, "API key not valid. Please pass a valid API key.", "agent_auth_error"],
    [403, "quota exceeded, see billing", "agent_billing_error"],
  ];
  for (const [status, message, category] of table) {
    assert.equal(categorise(failed(message, status), exited).category, category, `${status} ${message}`);
  }
});

test("without a status the words of the error decide, status codes as whole words", () => {
  const table: [message: string, category: string][] = [
    ["Invalid API key · Please run /login", "agent_auth_error"],
    ["unexpected status 401 Unauthorized: invalid api key", "agent_auth_error"],
    ["[API Error: 401 invalid api key]", "agent_auth_error"],
    ["You've hit your usage limit. Upgrade or come back later", "agent_billing_error"],
    ["Insufficient balance", "agent_billing_error"],
    ["exceeded retry limit, last status: 429 Too Many Requests", "agent_rate_limit"],
    ["Rate limit reached for gpt-5 in organization x on tokens per min. Please try again in 1.5s", "agent_rate_limit"],
    ["We're currently experiencing high demand, which may cause temporary errors.", "agent_api_error"],
    ["stream disconnected before completion: Transport error: network error", "agent_api_error"],
    ["[API Error: terminated (cause: UND_ERR_SOCKET: other side closed)]", "agent_api_error"],
    ["Connection reset by server", "agent_api_error"],
    ["connect ETIMEDOUT 10.0.0.1:443", "agent_api_error"],
    ["Request timeout", "agent_api_error"],
    ["tool timeout", "agent_timeout"],
    ["API Error: 500 internal error", "agent_api_error"],
    ["write failed: ENOSPC: no space left on device", "disk_full"],
    ["FATAL ERROR: JavaScript heap out of memory", "out_of_memory"],
    ["model fake-9 does not exist", "agent_config_error"],
    ["cli process failed (exit code 3)", "agent_crash"],
    ["something that nobody knows", "agent_api_error"],
    ["", "agent_crash"],
  ];
  for (const [message, category] of table) assert.equal(categorise(failed(message), exited).category, category, message);
});

test("a number or a syllable within another word is no status and no reason", () => {
  const innocent = ["14013 files", "request abc4291", "the room is accredited", "5032 lines", "zoom in", "a2401b"];
  for (const text of innocent) assert.equal(categoryOfText(text, "message"), undefined, text);
});

test("what stderr tells counts only where the agent said nothing, only lines of errors, and no bare numbers", () => {
  const noisy = "STARTUP phase 401 took 402 ms\nlistening on 429\nreading the billing page\n";
  assert.equal(categorise(failed(""), { ...exited, stderr: noisy }).category, "agent_crash");
  assert.equal(categorise(failed(""), { ...exited, stderr: `${noisy}Error: 401 retries\n` }).category, "agent_auth_error");
  assert.equal(categorise(failed(""), { ...exited, stderr: `${noisy}error: step 1401 failed\n` }).category, "agent_crash");
  assert.equal(categorise(failed("overloaded"), { ...exited, stderr: "error: unauthorized" }).category, "agent_api_error");
});

test("memory killer, missing program and an adapter's own word are heard in this order", () => {
  const oom = categorise(failed("401 unauthorized", 401), { exitCode: 137, killedBy: "out of memory", stderr: "" });
  assert.equal(oom.category, "out_of_memory");
  assert.equal(categorise(failed(""), { ...exited, exitCode: 137 }).category, "agent_crash");
  assert.equal(categorise(failed(""), { ...exited, exitCode: 127 }).category, "agent_config_error");
  assert.equal(categorise(failed(""), { ...exited, exitCode: 126 }).category, "agent_config_error");
  // gemini's exit code is the status mod 256: 383 would be 127.
  assert.equal(categorise(failed("unavailable", 503), { ...exited, exitCode: 127 }).category, "agent_api_error");
  const own = { ...failed("cannot be used as root"), category: "agent_config_error" } as const;
  assert.equal(categorise(own, exited).category, "agent_config_error");
});

test("a failure without a word says how the program ended and what it complained of", () => {
  assert.equal(categorise(failed(""), exited).message, "the agent ended with exit code 1 and told no reason");
  assert.equal(
    categorise(failed(" "), { exitCode: 137, killedBy: "unknown", stderr: "Error: no way\n" }).message,
    "the agent ended with exit code 137, killed by something other than evalbatch: Error: no way",
  );
  assert.equal(categorise(failed("x".repeat(5000)), exited).message.length, 1000);
});

test("the wait that a service asks for is read from its words", () => {
  const table: [text: string, milliseconds: number | undefined][] = [
    ["Please try again in 20s.", 20_000],
    ["try again in 1m30s", 90_000],
    ["Please retry in 32.5s", 32_500],
    ["try again in 250ms", 250],
    ["try again in 2 minutes and 5 seconds", 125_000],
    ['"retryDelay": "32s"', 32_000],
    ["retry-after: 7", 7000],
    ["try again in 5 hours", undefined],
    ["try again later", undefined],
    ["retry in the morning", undefined],
  ];
  for (const [text, milliseconds] of table) assert.equal(asksToWaitMs(text), milliseconds, text);
  assert.equal(categorise(failed("slow down, try again in 20s", 429), exited).retryAfterMs, 20_000);
  assert.equal(categorise({ ...failed("try again in 20s", 429), retryAfterMs: 5 }, exited).retryAfterMs, 5);
});

test("any status, words and log give a category and a message", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999 }), fc.string(), fc.string(), (status, message, stderr) => {
      const { category, message: told } = categorise(failed(message, status), { ...exited, stderr });
      assert.ok(category.length > 0 && told.length > 0 && told.length <= 1000);
      if (status >= 500 && status < 600) assert.equal(categoryOfStatus(status, message, false), "agent_api_error");
    }),
  );
});
