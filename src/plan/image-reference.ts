/** An image reference taken apart as the docker CLI does. */
export interface ImageReference {
  /** As it is given to the engine, e.g. `alpine`, `ghcr.io/team/image`. */
  readonly repository: string;
  /** Tag (default `latest`) or digest. */
  readonly version: string;
  /** Host of the registry; `docker.io` when none is named. */
  readonly registry: string;
}

/** Reads `[registry/]name[:tag][@digest]`; `undefined` for text that cannot be a reference (upper case, spaces, a leading dash). */
export function parseImageReference(text: string): ImageReference | undefined {
  const match = /^([a-zA-Z0-9][a-zA-Z0-9._:/[\]-]*?)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@([a-z0-9+._-]+:[0-9a-fA-F]{32,}))?$/.exec(
    text,
  );
  const repository = match?.[1];
  if (repository === undefined) return undefined;
  const slash = repository.indexOf("/");
  const first = slash === -1 ? "" : repository.slice(0, slash);
  const named = first.includes(".") || first.includes(":") || first === "localhost";
  const path = named ? repository.slice(slash + 1) : repository;
  if (!/^[a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:\/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*$/.test(path)) return undefined;
  const registry = named ? (first === "index.docker.io" ? "docker.io" : first) : "docker.io";
  return { repository, version: match?.[3] ?? match?.[2] ?? "latest", registry };
}
