import assert from "node:assert/strict";
import test from "node:test";
import { assertModelFor } from "../../../../src/agents/cli/model-address.ts";

test("an address of one's own without a model is refused: the agent would ask elsewhere, with the key meant for it", () => {
  for (const variable of ["ANTHROPIC_BASE_URL", "OPENAI_BASE_URL", "GOOGLE_GEMINI_BASE_URL"]) {
    assert.throws(() => assertModelFor("pi", undefined, { [variable]: "http://gateway" }), {
      code: "agent_config_error",
      message: `pi does not know which model to ask for at ${variable}`,
    });
    assertModelFor("pi", "gpt-5", { [variable]: "http://gateway" });
    assertModelFor("pi", undefined, { [variable]: "" });
  }
  assertModelFor("pi", undefined, { OPENAI_API_KEY: "k" });
});
