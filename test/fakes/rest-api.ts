import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type FakeRepository, type RestAnswer, type RestRequest, route } from "./rest-api-routes.ts";

/** What goes wrong with a request, once unless `times` says more. The first that fits is taken. */
export interface RestFault {
  readonly method?: string;
  /** Of the path, without the prefix, with the query. */
  readonly path?: RegExp;
  /** `hang`: no answer ever; `reset`: the connection breaks. */
  readonly answer: RestAnswer | "hang" | "reset";
  /** What was asked for is done all the same: the answer is what is lost. */
  readonly afterwards?: boolean;
  readonly times?: number;
}

export interface RecordedRequest extends RestRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly atMs: number;
}

export interface RestApi extends AsyncDisposable {
  /** For `GITHUB_API_URL`. */
  readonly url: string;
  /** May be changed at any time. */
  readonly repository: FakeRepository;
  readonly requests: RecordedRequest[];
  /** Those that change something. */
  writes(): RecordedRequest[];
  readonly faults: RestFault[];
  /** Called when a request was carried out and before it is answered: the place for what happens at the same time. */
  onCarriedOut: (request: RestRequest) => void;
  close(): Promise<void>;
}

export interface RestApiOptions {
  /** Path before all others: `/api/v3` of an enterprise server, whose GraphQL is at `/api/graphql`. */
  readonly prefix?: string;
  readonly repository?: Partial<FakeRepository>;
}

/** GitHub's answer to a token that may not. */
export const notAccessible: RestAnswer = {
  status: 403,
  body: {
    message: "Resource not accessible by integration",
    documentation_url: "https://docs.github.com/rest/issues/comments#create-an-issue-comment",
    status: "403",
  },
};

/** A stand-in for GitHub's REST API and its GraphQL `viewer`: comments, pull requests and workflow runs of one repository, in memory. */
export async function startRestApi(options: RestApiOptions = {}): Promise<RestApi> {
  const { prefix = "" } = options;
  const repository: FakeRepository = {
    fullName: "octo-org/evals",
    account: { login: "github-actions[bot]", type: "Bot" },
    graphql: true,
    token: undefined,
    maxBodyChars: 65_536,
    comments: [],
    pulls: [],
    runs: [],
    readsActions: true,
    ...options.repository,
  };
  const requests: RecordedRequest[] = [];
  const faults: RestFault[] = [];

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake has no port");
  const origin = `http://127.0.0.1:${address.port}`;
  const url = origin + prefix;

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = incoming.url ?? "";
    const graphql = prefix === "" ? "/graphql" : `${prefix.replace(/\/v3$/, "")}/graphql`;
    const path = asked === graphql ? "/graphql" : asked.startsWith(`${prefix}/`) ? asked.slice(prefix.length) : `/outside${asked}`;
    const request: RestRequest = {
      method: incoming.method ?? "",
      path,
      body: await readJson(incoming),
      token: incoming.headers.authorization,
    };
    requests.push({ ...request, headers: incoming.headers, atMs: performance.now() });
    const fault = takeFault(faults, request);
    const usual = fault === undefined || fault.afterwards === true ? route(repository, request, url) : undefined;
    if (usual !== undefined) api.onCarriedOut(request);
    const given = fault?.answer ?? usual;
    if (given === "hang" || given === undefined) return;
    if (given === "reset") {
      incoming.socket.destroy();
      return;
    }
    const text = given.body === undefined ? "" : typeof given.body === "string" ? given.body : JSON.stringify(given.body);
    const type = typeof given.body === "string" ? "text/html" : "application/json; charset=utf-8";
    response.writeHead(given.status, { ...(text === "" ? {} : { "content-type": type }), ...given.headers }).end(text);
  }

  const api: RestApi = {
    url,
    repository,
    requests,
    writes: () => requests.filter(({ method, path }) => method !== "GET" && path !== "/graphql"),
    faults,
    onCarriedOut: () => {},
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    [Symbol.asyncDispose]: () => api.close(),
  };
  return api;
}

function takeFault(faults: RestFault[], { method, path }: RestRequest): RestFault | undefined {
  const at = faults.findIndex((fault) => (fault.method ?? method) === method && (fault.path?.test(path) ?? true));
  const fault = faults[at];
  if (fault === undefined) return undefined;
  const left = (fault.times ?? 1) - 1;
  faults.splice(at, 1, ...(left > 0 ? [{ ...fault, times: left }] : []));
  return fault;
}

async function readJson(incoming: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of incoming.setEncoding("utf8")) text += String(chunk);
  return text === "" ? undefined : JSON.parse(text);
}
