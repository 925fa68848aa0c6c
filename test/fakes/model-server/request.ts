import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate, zstdDecompress } from "node:zlib";
import { isObject } from "../../../src/results/any-object.ts";

const decoders: Readonly<Record<string, (data: Buffer) => Promise<Buffer>>> = {
  br: promisify(brotliDecompress),
  deflate: promisify(inflate),
  gzip: promisify(gunzip),
  zstd: promisify(zstdDecompress),
};

/** The text of a request's body, unpacked. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) if (chunk instanceof Buffer) chunks.push(chunk);
  const data = Buffer.concat(chunks);
  const decode = decoders[request.headers["content-encoding"] ?? ""];
  return (decode === undefined ? data : await decode(data)).toString("utf8");
}

/** The body as an object; an empty one where it is none. */
export function parseBody(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

const keyHeaders = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];

/** The key that a request carries, without the word before it. */
export function keyOf(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const values = keyHeaders.map((name) => headers[name]);
  const found = values.find((value) => typeof value === "string");
  return typeof found === "string" ? found.replace(/^Bearer\s+/i, "") : (query.get("key") ?? undefined);
}

/** Headers without keys. */
export function maskHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, keyHeaders.includes(name) ? "***" : [value].flat().join(", ")]),
  );
}

/** What a prompt says to this server: `[session abc]` or `[session abc scenario 401]`. The first mark counts. */
export function markOf(text: string): { readonly session?: string; readonly scenario?: string } {
  const match = /\[session ([\w-]+)(?: scenario ([\w-]+))?\]/.exec(text);
  const [, session, scenario] = match ?? [];
  return { ...(session === undefined ? {} : { session }), ...(scenario === undefined ? {} : { scenario }) };
}

/** The mark for a prompt. */
export const sessionMark = (session: string, scenario?: string) =>
  `[session ${session}${scenario === undefined ? "" : ` scenario ${scenario}`}]`;

/** The directory that the prompt of a task begins with. */
export const workDirOf = (text: string) => /Your working directory is: (\/[^\\"\n]*)/.exec(text)?.[1] ?? "/workspace";
