import { z } from "zod";
import { openAiError } from "./chat.ts";
import { beginEvents, type ModelReply, type ModelRequest, type Protocol, pieces, type StreamHooks, sendEvent } from "./protocol.ts";

const requestSchema = z.looseObject({
  model: z.string().default("unknown"),
  stream: z.boolean().default(false),
  input: z.union([z.string(), z.array(z.looseObject({ type: z.string().optional() }))]).default(""),
  tools: z.array(z.looseObject({ type: z.string(), name: z.string().optional(), parameters: z.unknown().optional() })).default([]),
});

function itemsOf(reply: ModelReply, hooks: StreamHooks) {
  const reasoning = () => {
    const summary = [{ type: "summary_text", text: reply.thinking ?? "" }];
    return { type: "reasoning", id: hooks.id("rs"), summary, encrypted_content: "c2VjcmV0" } as const;
  };
  const message = () => {
    const content = [{ type: "output_text", text: reply.text, annotations: [] }];
    return { type: "message", id: hooks.id("msg"), role: "assistant", status: "completed", content } as const;
  };
  const calls = reply.calls.map(({ name, input }) => {
    const ids = { id: hooks.id("fc"), call_id: hooks.id("call") };
    return { type: "function_call", ...ids, name, arguments: JSON.stringify(input), status: "completed" } as const;
  });
  return [...(reply.thinking === undefined ? [] : [reasoning()]), ...(reply.text === "" ? [] : [message()]), ...calls];
}

type Item = ReturnType<typeof itemsOf>[number];

function responseOf(request: ModelRequest, reply: ModelReply, output: readonly Item[], hooks: StreamHooks) {
  const { input, cachedInput, output: written, reasoning = 0 } = reply.usage;
  return {
    id: hooks.id("resp"),
    object: "response",
    created_at: 1_700_000_000,
    status: "completed",
    model: request.model,
    output,
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cachedInput },
      output_tokens: written,
      output_tokens_details: { reasoning_tokens: reasoning },
      total_tokens: input + written,
    },
    parallel_tool_calls: true,
    tool_choice: "auto",
    tools: [],
    metadata: {},
    error: null,
    incomplete_details: null,
    instructions: null,
  };
}

/** `POST /v1/responses`. */
export const responses: Protocol = {
  name: "responses",
  matches: (path) => /\/responses(?:\?|$)/.test(path),
  read(body) {
    const { model, stream, input, tools } = requestSchema.parse(body);
    return {
      model,
      stream,
      tools: tools.flatMap(({ name, parameters }) => (name === undefined ? [] : [{ name, schema: parameters }])),
      results: typeof input === "string" ? 0 : input.filter(({ type }) => type?.endsWith("_call_output") === true).length,
    };
  },
  whole: (request, reply, hooks) => responseOf(request, reply, itemsOf(reply, hooks), hooks),
  async stream(response, request, reply, hooks) {
    let sent = 0;
    const send = (type: string, data: object) => sendEvent(response, { type, sequence_number: sent++, ...data }, type);
    beginEvents(response);
    const items = itemsOf(reply, hooks);
    const whole = responseOf(request, reply, items, hooks);
    send("response.created", { response: { ...whole, status: "in_progress", output: [], usage: null } });
    if ((await hooks.begin()) === "break") return;
    for (const [output_index, item] of items.entries()) {
      const at = { item_id: item.id, output_index };
      sendItem(item, at, send);
      send("response.output_item.done", { output_index, item });
    }
    send("response.completed", { response: whole });
    response.end();
  },
  errorBody: openAiError,
};

function sendItem(item: Item, at: { readonly output_index: number }, send: (type: string, data: object) => void): void {
  const { output_index } = at;
  switch (item.type) {
    case "reasoning": {
      const text = item.summary.map((part) => part.text).join("");
      send("response.output_item.added", { output_index, item: { ...item, summary: [] } });
      send("response.reasoning_summary_part.added", { ...at, summary_index: 0, part: { type: "summary_text", text: "" } });
      for (const delta of pieces(text)) send("response.reasoning_summary_text.delta", { ...at, summary_index: 0, delta });
      send("response.reasoning_summary_text.done", { ...at, summary_index: 0, text });
      send("response.reasoning_summary_part.done", { ...at, summary_index: 0, part: item.summary[0] });
      return;
    }
    case "message": {
      const [part] = item.content;
      send("response.output_item.added", { output_index, item: { ...item, status: "in_progress", content: [] } });
      send("response.content_part.added", { ...at, content_index: 0, part: { ...part, text: "" } });
      for (const delta of pieces(part?.text ?? "")) send("response.output_text.delta", { ...at, content_index: 0, delta });
      send("response.output_text.done", { ...at, content_index: 0, text: part?.text ?? "" });
      send("response.content_part.done", { ...at, content_index: 0, part });
      return;
    }
    case "function_call":
      send("response.output_item.added", { output_index, item: { ...item, arguments: "", status: "in_progress" } });
      for (const delta of pieces(item.arguments)) send("response.function_call_arguments.delta", { ...at, delta });
      send("response.function_call_arguments.done", { ...at, arguments: item.arguments });
  }
}
