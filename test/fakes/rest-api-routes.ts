// The routes of the fake REST API, as GitHub's reference describes them.
import { actionsRoutes, type FakeRun } from "./rest-actions-routes.ts";

export interface Account {
  readonly login: string;
  readonly type: "Bot" | "User";
}

export interface FakeComment {
  readonly id: number;
  /** Number of the pull request. */
  readonly issue: number;
  readonly author: Account;
  body: string;
}

export interface FakePull {
  readonly number: number;
  readonly state: "open" | "closed";
  readonly headSha: string;
  /** `owner:branch`. */
  readonly head: string;
  /** Commits that GitHub lists it for, besides its head. */
  readonly commits?: readonly string[];
  /** Of the repository that it goes to, where that is another one. */
  readonly base?: string;
}

export interface FakeRepository {
  fullName: string;
  /** Whose token it is. */
  account: Account;
  /** Whether there is a GraphQL endpoint. */
  graphql: boolean;
  /** The only token that is accepted; undefined: any. */
  token: string | undefined;
  maxBodyChars: number;
  comments: FakeComment[];
  pulls: FakePull[];
  /** Workflow runs. */
  runs: FakeRun[];
  /** Whether the token has `actions: read`. */
  readsActions: boolean;
}

export interface RestRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body: unknown;
  readonly token: string | undefined;
}

export interface RestAnswer {
  readonly status: number;
  /** Text is no JSON: what a gateway says. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (
  repository: FakeRepository,
  request: RestRequest,
  parts: { readonly match: RegExpExecArray; readonly query: URLSearchParams; readonly address: URL },
) => RestAnswer;

export const notFound: RestAnswer = { status: 404, body: { message: "Not Found", status: "404" } };

function viewer({ graphql, account }: FakeRepository): RestAnswer {
  return graphql ? { status: 200, body: { data: { viewer: { login: account.login } } } } : notFound;
}

function user({ account }: FakeRepository): RestAnswer {
  if (account.type === "User") return { status: 200, body: account };
  return { status: 403, body: { message: "Resource not accessible by integration", status: "403" } };
}

/**
 * A page of a list, with the links that GitHub sends along.
 * @param key of the list, where it is one in an object
 */
export function page(entries: readonly unknown[], query: URLSearchParams, address: URL, key?: string): RestAnswer {
  const perPage = Math.min(100, Number(query.get("per_page") ?? "30"));
  const number = Number(query.get("page") ?? "1");
  const last = Math.max(1, Math.ceil(entries.length / perPage));
  const linkTo = (target: number, rel: string): string => {
    const there = new URL(address);
    there.searchParams.set("page", String(target));
    return `<${there.href}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [linkTo(number - 1, "prev")] : []),
    ...(number < last ? [linkTo(number + 1, "next"), linkTo(last, "last")] : []),
  ];
  const items = entries.slice((number - 1) * perPage, number * perPage);
  const body = key === undefined ? items : { total_count: entries.length, [key]: items };
  return { status: 200, body, ...(links.length === 0 ? {} : { headers: { link: links.join(", ") } }) };
}

const listComments: Handler = (repository, _request, { match, query, address }) => {
  const ofIssue = repository.comments.filter(({ issue }) => issue === Number(match[2])).sort((a, b) => a.id - b.id);
  return page(
    ofIssue.map((comment) => commentJson(repository, comment)),
    query,
    address,
  );
};

const createComment: Handler = (repository, request, { match }) => {
  const body = bodyOf(request);
  if (body === "" || body.length > repository.maxBodyChars) return refusedBody(repository);
  const id = Math.max(1000, ...repository.comments.map((comment) => comment.id)) + 1;
  const comment: FakeComment = { id, issue: Number(match[2]), author: repository.account, body };
  repository.comments.push(comment);
  return { status: 201, body: commentJson(repository, comment) };
};

const findComment = ({ comments }: FakeRepository, match: RegExpExecArray): FakeComment | undefined =>
  comments.find(({ id }) => id === Number(match[2]));

const getComment: Handler = (repository, _request, { match }) => {
  const comment = findComment(repository, match);
  return comment === undefined ? notFound : { status: 200, body: commentJson(repository, comment) };
};

const updateComment: Handler = (repository, request, { match }) => {
  const comment = findComment(repository, match);
  if (comment === undefined) return notFound;
  const body = bodyOf(request);
  if (body === "" || body.length > repository.maxBodyChars) return refusedBody(repository);
  comment.body = body;
  return { status: 200, body: commentJson(repository, comment) };
};

const deleteComment: Handler = (repository, _request, { match }) => {
  const comment = findComment(repository, match);
  if (comment === undefined) return notFound;
  repository.comments = repository.comments.filter((other) => other !== comment);
  return { status: 204 };
};

const pullsOfCommit: Handler = (repository, _request, { match, query, address }) => {
  const sha = match[2] ?? "";
  if (sha.startsWith("dead")) return { status: 422, body: { message: `No commit found for SHA: ${sha}`, status: "422" } };
  const found = repository.pulls.filter(({ headSha, commits = [] }) => headSha === sha || commits.includes(sha));
  return page(
    found.map((pull) => pullJson(repository, pull)),
    query,
    address,
  );
};

const listPulls: Handler = (repository, _request, { query, address }) => {
  const state = query.get("state") ?? "open";
  const head = query.get("head");
  const found = repository.pulls.filter((pull) => (state === "all" || pull.state === state) && (head === null || pull.head === head));
  return page(
    found.map((pull) => pullJson(repository, pull)),
    query,
    address,
  );
};

const getPull: Handler = (repository, _request, { match }) => {
  const pull = repository.pulls.find(({ number }) => number === Number(match[2]));
  return pull === undefined ? notFound : { status: 200, body: pullJson(repository, pull) };
};

function bodyOf({ body }: RestRequest): string {
  return typeof body === "object" && body !== null && "body" in body && typeof body.body === "string" ? body.body : "";
}

function refusedBody({ maxBodyChars }: FakeRepository): RestAnswer {
  const message = `Body is too long (maximum is ${maxBodyChars} characters)`;
  const errors = [{ resource: "IssueComment", code: "unprocessable", field: "data", message }];
  return { status: 422, body: { message: "Validation Failed", errors, status: "422" } };
}

function commentJson({ fullName }: FakeRepository, { id, issue, author, body }: FakeComment): object {
  return { id, body, user: author, html_url: `https://github.com/${fullName}/pull/${issue}#issuecomment-${id}` };
}

function pullJson({ fullName }: FakeRepository, { number, state, headSha, head, base = fullName }: FakePull): object {
  const [owner = "", ref = ""] = head.split(":");
  return { number, state, head: { sha: headSha, ref, label: head, user: { login: owner } }, base: { repo: { full_name: base } } };
}

const routes: readonly (readonly [string, RegExp, Handler])[] = [
  ["POST", /^\/graphql$/, viewer],
  ["GET", /^\/user$/, user],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/, listComments],
  ["POST", /^\/repos\/([^/]+\/[^/]+)\/issues\/(\d+)\/comments$/, createComment],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/, getComment],
  ["PATCH", /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/, updateComment],
  ["DELETE", /^\/repos\/([^/]+\/[^/]+)\/issues\/comments\/(\d+)$/, deleteComment],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/commits\/([0-9a-f]+)\/pulls$/, pullsOfCommit],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/pulls$/, listPulls],
  ["GET", /^\/repos\/([^/]+\/[^/]+)\/pulls\/(\d+)$/, getPull],
  ...actionsRoutes,
];

/** Carries out a request. */
export function route(repository: FakeRepository, request: RestRequest, url: string): RestAnswer {
  const { token } = repository;
  if (request.token === undefined || (token !== undefined && request.token !== `token ${token}`)) {
    return { status: 401, body: { message: "Bad credentials", status: "401" } };
  }
  const address = new URL(url + request.path);
  const path = decodeURIComponent(address.pathname.slice(new URL(url).pathname.replace(/\/$/, "").length));
  for (const [method, pattern, handler] of routes) {
    const match = request.method === method ? pattern.exec(path) : null;
    if (match === null) continue;
    if (path.startsWith("/repos/") && match[1] !== repository.fullName) return notFound;
    return handler(repository, request, { match, query: address.searchParams, address });
  }
  return notFound;
}
