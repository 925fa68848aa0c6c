// GitHub's service for artifacts as far as its client speaks with it, on one port of 127.0.0.1: the Twirp methods of
// ArtifactService, and block blobs as Azure stores them. Strict where the real one is: token, names, sizes, digests, signatures.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { ArtifactStore, type EarlierArtifact, Refusal, runtimeToken, type StoredArtifact } from "./artifact-store.ts";

/** What an answer is to be instead of the right one. Each fault is used once, in order. */
export type Fault =
  /** An error as the service writes it. */
  | { readonly status: number; readonly message: string }
  /** What a proxy on the way writes: no JSON. */
  | { readonly status: number; readonly html: string }
  /** No answer at all. */
  | "stall"
  /** The connection is cut. */
  | "reset"
  /** The connection is cut in the middle of a blob. */
  | "cut"
  /** Something happens, then comes the right answer. */
  | (() => void);

/** What can be asked. */
export type Place = keyof ArtifactStore["methods"] | "PutBlock" | "PutBlockList" | "GetBlob";

export interface ServiceRequest {
  readonly place: Place;
  readonly authorization: string | undefined;
  /** The JSON of a method as it came; undefined for a blob. */
  readonly body: unknown;
  /** Of the process, in milliseconds. */
  readonly atMs: number;
}

export interface ServiceOptions {
  readonly faults?: Partial<Record<Place, Fault[]>> | undefined;
  /** Names that another job of the run has used. */
  readonly taken?: readonly string[] | undefined;
  /** What earlier attempts or other jobs have uploaded. */
  readonly stored?: readonly EarlierArtifact[] | undefined;
  /** So many blocks must be on their way before the first is taken: the client is to send them in parallel. They are taken last one first. */
  readonly blocksAtOnce?: number | undefined;
}

export interface ResultsService {
  /** For ACTIONS_RESULTS_URL. */
  readonly url: string;
  /** For ACTIONS_RUNTIME_TOKEN. */
  readonly token: string;
  /** Part of every signed URL. */
  readonly signature: string;
  /** By name, finished or not. */
  readonly artifacts: ReadonlyMap<string, StoredArtifact>;
  readonly requests: readonly ServiceRequest[];
  /** Puts an artifact there, and gives the address that GitHub's API redirects to for it. */
  put(artifact: EarlierArtifact): { readonly id: number; readonly url: string };
  /** Resolves when a place was asked for the first time. */
  asked(place: Place): Promise<void>;
  /** Resolves when a client that waited for an answer that never comes (`stall`) is gone. */
  readonly leftAlone: Promise<void>;
  close(): Promise<void>;
}

const methodPath = "/twirp/github.actions.results.api.v1.ArtifactService/";

export async function startResultsService({
  faults = {},
  taken = [],
  stored = [],
  blocksAtOnce = 1,
}: ServiceOptions = {}): Promise<ResultsService> {
  const requests: ServiceRequest[] = [];
  const waiting: { readonly place: Place; readonly resolve: () => void }[] = [];
  const leave = Promise.withResolvers<void>();
  let url = "";
  const store = new ArtifactStore((id) => `${url}/blobs/${id}`);
  for (const name of taken) store.add(name);
  const put = (artifact: EarlierArtifact) => {
    const added = store.put(artifact);
    return { id: added.id, url: store.signedUrlOf(added) };
  };
  let held: { readonly blockId: string; readonly go: () => void }[] | undefined = [];

  const holdBlock = (blockId: string): Promise<void> =>
    new Promise((resolve) => {
      if (held === undefined) {
        resolve();
        return;
      }
      held.push({ blockId, go: resolve });
      if (held.length < blocksAtOnce) return;
      // The ids of a blob's blocks count up. Not now: the request that came last does not wait yet.
      const order = held.sort((a, b) => (a.blockId < b.blockId ? 1 : -1));
      setImmediate(() => {
        for (const { go } of order) go();
      });
      held = undefined;
    });

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    const place = placeOf(request.method, pathname, searchParams, store);
    const raw = await buffer(request);
    const isMethod = pathname.startsWith(methodPath);
    const body: unknown = isMethod ? JSON.parse(raw.toString()) : undefined;
    requests.push({ place, authorization: request.headers.authorization, body, atMs: performance.now() });
    for (const { resolve } of waiting.filter((one) => one.place === place)) resolve();
    const fault = faults[place]?.shift();
    if (fault === "stall") {
      request.socket.once("close", leave.resolve);
      return;
    }
    if (fault === "reset") {
      request.socket.destroy();
      return;
    }
    if (fault === "cut") {
      const { content } = store.blob(Number(pathname.slice("/blobs/".length)), searchParams.get("sig"));
      response.writeHead(200, { "content-type": "application/zip", "content-length": content.length });
      response.write(content.subarray(0, content.length / 2), () => request.socket.destroy());
      return;
    }
    if (typeof fault === "function") fault();
    else if (fault !== undefined && "html" in fault) {
      send(response, fault.status, "text/html", fault.html);
      return;
    } else if (fault !== undefined) throw new Refusal(fault.status, "fault", fault.message);
    if (isMethod && request.headers.authorization !== `Bearer ${runtimeToken}`) throw new Refusal(401, "unauthenticated", "wrong token");
    const id = Number(pathname.slice("/blobs/".length));
    const signature = searchParams.get("sig");
    if (place === "PutBlock") {
      const blockId = searchParams.get("blockid") ?? "";
      await holdBlock(blockId);
      store.putBlock(id, signature, blockId, raw);
      send(response, 201);
    } else if (place === "PutBlockList") {
      store.putBlockList(id, signature, raw.toString(), headerOf(request, "x-ms-blob-content-type"));
      send(response, 201);
    } else if (place === "GetBlob") {
      const { name, content, contentType = "application/octet-stream" } = store.blob(id, signature);
      const disposition = `attachment; filename="artifact.zip"; filename*=UTF-8''${encodeURIComponent(name)}.zip`;
      response.setHeader("content-disposition", disposition);
      send(response, 200, contentType, content);
    } else send(response, 200, "application/json", JSON.stringify(store.methods[place](body)));
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const { status, code, message } = error instanceof Refusal ? error : new Refusal(500, "internal", String(error));
      if ((request.url ?? "").startsWith(methodPath)) send(response, status, "application/json", JSON.stringify({ code, msg: message }));
      else
        send(response, status, "application/xml", `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  url = `http://127.0.0.1:${address.port}`;
  for (const artifact of stored) put(artifact);
  return {
    url,
    token: runtimeToken,
    signature: store.signature,
    artifacts: store.artifacts,
    requests,
    put,
    asked: (place) =>
      new Promise((resolve) => {
        if (requests.some((request) => request.place === place)) resolve();
        else waiting.push({ place, resolve });
      }),
    leftAlone: leave.promise,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function placeOf(method: string | undefined, pathname: string, search: URLSearchParams, { methods }: ArtifactStore): Place {
  const name = pathname.startsWith(methodPath) ? pathname.slice(methodPath.length) : "";
  const isKnown = (candidate: string): candidate is keyof typeof methods => Object.hasOwn(methods, candidate);
  if (method === "POST" && isKnown(name)) return name;
  if (pathname.startsWith("/blobs/")) {
    if (method === "GET") return "GetBlob";
    if (method === "PUT" && search.get("comp") === "block") return "PutBlock";
    if (method === "PUT" && search.get("comp") === "blocklist") return "PutBlockList";
  }
  throw new Refusal(404, "bad_route", `no such place: ${method} ${pathname}`);
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

function send(response: ServerResponse, status: number, type = "text/plain", body: string | Buffer = ""): void {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) }).end(body);
}
