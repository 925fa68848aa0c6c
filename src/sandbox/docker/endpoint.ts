/** Where an engine listens, and which setting said so. */
export type Endpoint = { readonly source: string } & (
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly tls?: EndpointTls | undefined }
  | { readonly kind: "ssh"; readonly destination: string; readonly port?: string | undefined }
);

export interface EndpointTls {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  readonly verify: boolean;
}

/** An address like `unix:///var/run/docker.sock`, without its TLS files. */
export type Address =
  | { readonly kind: "socket"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number; readonly secure: boolean }
  | { readonly kind: "ssh"; readonly destination: string; readonly port?: string | undefined }
  | { readonly kind: "invalid"; readonly reason: string };

/** Reads the value of `DOCKER_HOST` or of a context's `Host` as the docker CLI does. */
export function parseAddress(text: string): Address {
  const address = text.trim();
  const scheme = /^([a-z]+):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme === "unix" || scheme === "npipe") {
    const path = address.slice(scheme.length + 3);
    if (path === "") return { kind: "invalid", reason: `no path after ${scheme}://` };
    return { kind: "socket", path };
  }
  if (scheme !== undefined && !["tcp", "http", "https", "ssh"].includes(scheme)) {
    return { kind: "invalid", reason: `unknown scheme ${scheme}://, expected unix://, tcp://, ssh:// or npipe://` };
  }
  const url = URL.parse(scheme === undefined ? `tcp://${address}` : address);
  if (url === null || url.hostname === "") return { kind: "invalid", reason: "not an address such as unix:///path or tcp://host:port" };
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (scheme === "ssh") {
    const user = decodeURIComponent(url.username);
    // A leading dash would be an option of the ssh program.
    if (host.startsWith("-") || user.startsWith("-")) return { kind: "invalid", reason: "host or user starts with a dash" };
    return { kind: "ssh", destination: user === "" ? host : `${user}@${host}`, port: url.port === "" ? undefined : url.port };
  }
  const secure = scheme === "https" || url.port === "2376";
  const port = url.port === "" ? (scheme === "https" ? 443 : scheme === "http" ? 80 : 2375) : Number(url.port);
  return { kind: "tcp", host, port, secure };
}

/** How an endpoint is named in messages. */
export function describeEndpoint(endpoint: Endpoint): string {
  switch (endpoint.kind) {
    case "socket":
      return endpoint.path.startsWith("//") ? `npipe:${endpoint.path}` : `unix://${endpoint.path}`;
    case "tcp":
      return `tcp://${endpoint.host}:${endpoint.port}`;
    case "ssh":
      return `ssh://${endpoint.destination}${endpoint.port === undefined ? "" : `:${endpoint.port}`}`;
  }
}
