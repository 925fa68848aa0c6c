import { z } from "zod";
import { beginEvents, type ModelReply, type ModelRequest, type Protocol, pieces, type StreamHooks, sendEvent } from "./protocol.ts";

const declaration = z.looseObject({ name: z.string(), parametersJsonSchema: z.unknown().optional(), parameters: z.unknown().optional() });
const requestSchema = z.looseObject({
  contents: z.array(z.looseObject({ parts: z.array(z.looseObject({ functionResponse: z.unknown().optional() })).default([]) })).default([]),
  tools: z.array(z.looseObject({ functionDeclarations: z.array(declaration).default([]) })).default([]),
});

const statusWords: Readonly<Record<number, string>> = {
  401: "UNAUTHENTICATED",
  402: "FAILED_PRECONDITION",
  429: "RESOURCE_EXHAUSTED",
  529: "UNAVAILABLE",
};

function chunk(request: ModelRequest, reply: ModelReply, hooks: StreamHooks) {
  const { input, cachedInput, output, reasoning = 0 } = reply.usage;
  const candidates = output - reasoning;
  const responseId = hooks.id("resp");
  const usageMetadata = {
    promptTokenCount: input,
    cachedContentTokenCount: cachedInput,
    candidatesTokenCount: candidates,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  };
  return (parts: readonly object[], finishReason?: string) => ({
    candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason === undefined ? {} : { finishReason }) }],
    usageMetadata,
    modelVersion: request.model,
    responseId,
  });
}

const callParts = (reply: ModelReply, hooks: StreamHooks) =>
  reply.calls.map(({ name, input }) => ({ functionCall: { id: hooks.id("fc"), name, args: input } }));

const thoughts = (text: string | undefined) => (text === undefined ? [] : [{ text, thought: true }]);

/** `POST /v1beta/models/<model>:streamGenerateContent?alt=sse` and `:generateContent`. */
export const gemini: Protocol = {
  name: "gemini",
  matches: (path) => /:(?:streamGenerateContent|generateContent)(?:\?|$)/.test(path),
  read(body, path) {
    const { contents, tools } = requestSchema.parse(body);
    const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations);
    return {
      model: /\/models\/([^:/]+):/.exec(path)?.[1] ?? "unknown",
      stream: path.includes(":streamGenerateContent"),
      tools: declared.map(({ name, parametersJsonSchema, parameters }) => ({ name, schema: parametersJsonSchema ?? parameters })),
      results: contents.flatMap(({ parts }) => parts).filter(({ functionResponse }) => functionResponse !== undefined).length,
    };
  },
  whole(request, reply, hooks) {
    const text = reply.text === "" ? [] : [{ text: reply.text }];
    return chunk(request, reply, hooks)([...thoughts(reply.thinking), ...text, ...callParts(reply, hooks)], "STOP");
  },
  async stream(response, request, reply, hooks) {
    const make = chunk(request, reply, hooks);
    beginEvents(response);
    const [first = "", ...rest] = pieces(reply.text);
    if (reply.thinking !== undefined) sendEvent(response, make(thoughts(reply.thinking)));
    sendEvent(response, make([{ text: first }]));
    if ((await hooks.begin()) === "break") return;
    for (const text of rest) sendEvent(response, make([{ text }]));
    const calls = callParts(reply, hooks);
    sendEvent(response, make(calls.length === 0 ? [{ text: "" }] : calls, "STOP"));
    response.end();
  },
  errorBody: (status, message) => ({ error: { code: status, message, status: statusWords[status] ?? "INTERNAL" } }),
};
