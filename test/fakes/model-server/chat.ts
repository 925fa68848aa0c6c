import { z } from "zod";
import { beginEvents, type ModelReply, type ModelRequest, type Protocol, pieces, type StreamHooks, sendEvent } from "./protocol.ts";

const requestSchema = z.looseObject({
  model: z.string().default("unknown"),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ role: z.string() })).default([]),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), parameters: z.unknown().optional() }).optional() }))
    .default([]),
});

const errorTypes: Readonly<Record<number, readonly [type: string, code: string | null]>> = {
  401: ["invalid_request_error", "invalid_api_key"],
  402: ["insufficient_quota", "insufficient_quota"],
  429: ["rate_limit_exceeded", "rate_limit_exceeded"],
  529: ["overloaded_error", null],
};

/** The shape of an error of OpenAI's interfaces. */
export function openAiError(status: number, message: string) {
  const [type, code] = errorTypes[status] ?? ["server_error", null];
  return { error: { message, type, code, param: null } };
}

function usageOf({ usage }: ModelReply) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cachedInput },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
  };
}

function callsOf(reply: ModelReply, hooks: StreamHooks) {
  return reply.calls.map(({ name, input }, index) => {
    return { index, id: hooks.id("call"), type: "function", function: { name, arguments: JSON.stringify(input) } };
  });
}

const head = (request: ModelRequest, hooks: StreamHooks) => ({ id: hooks.id("chatcmpl"), created: 1_700_000_000, model: request.model });
const finishOf = (reply: ModelReply) => (reply.calls.length > 0 ? "tool_calls" : "stop");

/** `POST /v1/chat/completions`; usage is told whether `stream_options` asks for it or not, as compatible services do. */
export const chat: Protocol = {
  name: "chat",
  matches: (path) => /\/chat\/completions(?:\?|$)/.test(path),
  read(body) {
    const { model, stream, messages, tools } = requestSchema.parse(body);
    return {
      model,
      stream,
      tools: tools.flatMap((tool) => (tool.function === undefined ? [] : [{ name: tool.function.name, schema: tool.function.parameters }])),
      results: messages.filter(({ role }) => role === "tool").length,
    };
  },
  whole(request, reply, hooks) {
    const calls = callsOf(reply, hooks);
    const message = {
      role: "assistant",
      content: reply.text,
      ...(reply.thinking === undefined ? {} : { reasoning_content: reply.thinking }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
    return { ...head(request, hooks), object: "chat.completion", choices, usage: usageOf(reply) };
  },
  async stream(response, request, reply, hooks) {
    const common = { ...head(request, hooks), object: "chat.completion.chunk" };
    const send = (delta: object, finish_reason: string | null = null) =>
      sendEvent(response, { ...common, choices: [{ index: 0, delta, finish_reason }] });
    beginEvents(response);
    send({ role: "assistant", content: "" });
    if ((await hooks.begin()) === "break") return;
    for (const reasoning_content of pieces(reply.thinking ?? "")) send({ reasoning_content });
    for (const content of pieces(reply.text)) send({ content });
    for (const call of callsOf(reply, hooks)) {
      send({ tool_calls: [{ ...call, function: { name: call.function.name, arguments: "" } }] });
      for (const piece of pieces(call.function.arguments)) send({ tool_calls: [{ index: call.index, function: { arguments: piece } }] });
    }
    send({}, finishOf(reply));
    sendEvent(response, { ...common, choices: [], usage: usageOf(reply) });
    sendEvent(response, "[DONE]");
    response.end();
  },
  errorBody: openAiError,
};
