import { z } from "zod";
import { laxBool, laxFloat, laxInt } from "../../schema/lax.ts";
import { criterionBase } from "../criterion.ts";

const positive = () => laxInt(z.int().min(1));

const judgeThreshold = { pass_threshold: laxFloat(z.number().min(0).max(1)).default(0.7) };
const enabled = { enabled: laxBool().default(true) };

/** What the judge gets to see. */
const judgeInput = {
  files: z.array(z.string()).default([]),
  include_reference: laxBool().default(true),
  include_agent_output: laxBool().default(false),
  include_tool_calls: laxBool().default(false),
  include_dialog: laxBool().default(false),
  max_dialog_chars: positive().default(80_000),
};
const maxFileChars = { max_file_chars: positive().default(20_000) };
const transcript = {
  capture_transcript: laxBool().default(true),
  max_transcript_chars: positive().default(100_000),
};

export const llmJudgeSchema = criterionBase.extend({
  type: z.literal("llm_judge"),
  ...judgeThreshold,
  ...enabled,
  prompt: z.string(),
  ...judgeInput,
  model: z.string().nullable().default("anthropic.claude-sonnet-4-6"),
  temperature: laxFloat(z.number().min(0).max(2)).default(0),
  max_tokens: positive().default(2_000),
  ...maxFileChars,
  ...transcript,
});

const verdictChannelError = "'verdict_channel' was removed: the verdict always comes through the submit_verdict tool; delete the key";

export const agentJudgeSchema = criterionBase.extend({
  type: z.literal("agent_judge"),
  ...judgeThreshold,
  ...enabled,
  prompt: z.string(),
  ...judgeInput,
  ...maxFileChars,
  max_turns: positive().default(50),
  turn_timeout: laxInt(z.int().min(10)).default(300),
  /** Overlays the judge's own agent defaults; which keys it may hold depends on the agent type. */
  agent: z.record(z.string(), z.unknown()).nullable().optional(),
  ...transcript,
  verdict_channel: z.undefined({ error: verdictChannelError }).optional(),
});

export const systemOneJudgeSchema = criterionBase.extend({
  type: z.literal("system_one_judge"),
  ...judgeThreshold,
  ...enabled,
  questions: z.record(z.string(), z.record(z.string(), z.unknown())),
  prompt: z.string().default(""),
  scoring: z.enum(["expected", "argmax"]).default("expected"),
  ...judgeInput,
  ...maxFileChars,
  max_state_chars: positive().default(100_000),
  model: z.string().default("jev-latest"),
  base_url: z.string().default("https://api.typesafe.ai/v1"),
  api_key_env: z.string().default("TYPESAFE_API_KEY"),
  timeout_seconds: laxFloat(z.number().gt(0)).default(60),
  ...transcript,
});
