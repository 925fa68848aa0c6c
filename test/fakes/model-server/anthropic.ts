import { z } from "zod";
import { beginEvents, type ModelReply, type ModelRequest, type Protocol, pieces, type StreamHooks, sendEvent } from "./protocol.ts";

const block = z.looseObject({ type: z.string() });
const requestSchema = z.looseObject({
  model: z.string().default("unknown"),
  stream: z.boolean().default(false),
  messages: z.array(z.looseObject({ content: z.union([z.string(), z.array(block)]) })).default([]),
  tools: z.array(z.looseObject({ name: z.string(), input_schema: z.unknown().optional() })).default([]),
});

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function inputUsage({ usage }: ModelReply) {
  const created = usage.cacheCreation ?? 0;
  return {
    input_tokens: usage.input - usage.cachedInput - created,
    cache_creation_input_tokens: created,
    cache_read_input_tokens: usage.cachedInput,
  };
}

function blocksOf(reply: ModelReply, hooks: StreamHooks) {
  return [
    ...(reply.thinking === undefined ? [] : [{ type: "thinking", thinking: reply.thinking, signature: "c2lnbmF0dXJl" } as const]),
    ...(reply.text === "" ? [] : [{ type: "text", text: reply.text } as const]),
    ...reply.calls.map(({ name, input }) => ({ type: "tool_use", id: hooks.id("toolu"), name, input }) as const),
  ];
}

function head(request: ModelRequest, hooks: StreamHooks) {
  return { id: hooks.id("msg"), type: "message", role: "assistant", model: request.model, stop_sequence: null };
}

const stopOf = (reply: ModelReply) => (reply.calls.length > 0 ? "tool_use" : "end_turn");

/** `POST /v1/messages`. */
export const anthropic: Protocol = {
  name: "anthropic",
  matches: (path) => /^\/v1\/messages(?:\?|$)/.test(path),
  read(body) {
    const { model, stream, messages, tools } = requestSchema.parse(body);
    const blocks = messages.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return {
      model,
      stream,
      tools: tools.map(({ name, input_schema }) => ({ name, schema: input_schema })),
      results: blocks.filter(({ type }) => type === "tool_result").length,
    };
  },
  whole(request, reply, hooks) {
    const usage = { ...inputUsage(reply), output_tokens: reply.usage.output };
    return { ...head(request, hooks), content: blocksOf(reply, hooks), stop_reason: stopOf(reply), usage };
  },
  async stream(response, request, reply, hooks) {
    const send = (type: string, data: object) => sendEvent(response, { type, ...data }, type);
    beginEvents(response);
    const usage = { ...inputUsage(reply), output_tokens: 1 };
    send("message_start", { message: { ...head(request, hooks), content: [], stop_reason: null, usage } });
    if ((await hooks.begin()) === "break") return;
    for (const [index, content] of blocksOf(reply, hooks).entries()) {
      const delta = (data: object) => send("content_block_delta", { index, delta: data });
      switch (content.type) {
        case "thinking":
          send("content_block_start", { index, content_block: { type: "thinking", thinking: "", signature: "" } });
          for (const thinking of pieces(content.thinking)) delta({ type: "thinking_delta", thinking });
          delta({ type: "signature_delta", signature: content.signature });
          break;
        case "text":
          send("content_block_start", { index, content_block: { type: "text", text: "" } });
          for (const text of pieces(content.text)) delta({ type: "text_delta", text });
          break;
        case "tool_use":
          send("content_block_start", { index, content_block: { ...content, input: {} } });
          for (const piece of pieces(JSON.stringify(content.input))) delta({ type: "input_json_delta", partial_json: piece });
          break;
      }
      send("content_block_stop", { index });
    }
    const details = reply.usage.reasoning === undefined ? {} : { output_tokens_details: { thinking_tokens: reply.usage.reasoning } };
    send("message_delta", {
      delta: { stop_reason: stopOf(reply), stop_sequence: null },
      usage: { output_tokens: reply.usage.output, ...details },
    });
    send("message_stop", {});
    response.end();
  },
  errorBody: (status, message) => ({ type: "error", error: { type: errorTypes[status] ?? "api_error", message } }),
};
