import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";

export interface StoredArtifact {
  readonly id: number;
  readonly name: string;
  readonly expiresAt: string | undefined;
  readonly createdAt: string;
  /** The zip file; empty until its blocks were listed. */
  content: Buffer;
  contentType: string | undefined;
  /** Ids of the blocks in the order of arrival. */
  readonly arrived: string[];
  /** Ids of the blocks in the order of the list. */
  listed: readonly string[];
  finalized: boolean;
  /** Told instead of the right one; null: none is told. */
  digest?: string | null;
  /** Of another attempt of the run, whose names count for themselves. */
  readonly attempt?: string;
}

/** An artifact that is there from the start. */
export interface EarlierArtifact {
  readonly name: string;
  readonly content: Buffer;
  /** RFC 3339. */
  readonly createdAt?: string;
  readonly digest?: string | null;
  /** Id of another attempt of the run; of the present one if not given. */
  readonly attempt?: string;
}

/** A refusal as Twirp writes it. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const [runId, jobId] = ["4711", "1147"];
const ids = z.looseObject({ workflow_run_backend_id: z.literal(runId), workflow_job_run_backend_id: z.literal(jobId) });
/** What is only read may be of another attempt. */
const readable = z.looseObject({ workflow_run_backend_id: z.string(), name: z.string() });
const named = ids.extend({ name: z.string().regex(/^[^"*/:<>?\\|\r\n]{1,255}$/, "invalid artifact name") });
const create = named.extend({ version: z.literal(7), mime_type: z.string().optional(), expires_at: z.iso.datetime().optional() });
const finalize = named.extend({ size: z.string().regex(/^\d+$/), hash: z.string().optional() });
const list = ids.extend({ name_filter: z.string().optional(), id_filter: z.string().optional() });

/** Unsigned: the client only reads it. Digits, since act's server reads the ids as numbers. */
export const runtimeToken = [{ alg: "none" }, { scp: `Actions.Example Actions.Results:${runId}:${jobId}` }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("none")
  .join(".");

/** The artifacts of one run, as the service keeps them. A name is there once, whether its upload came to its end or not. */
export class ArtifactStore {
  readonly artifacts = new Map<string, StoredArtifact>();
  #nextId = 1001;
  readonly #blocks = new Map<string, Buffer>();
  /** With the characters that must be escaped in a URL. */
  readonly #signature = `+/${randomBytes(12).toString("base64")}=`;
  readonly #blobUrl: (id: number) => string;

  constructor(blobUrl: (id: number) => string) {
    this.#blobUrl = blobUrl;
  }

  /** Part of every URL of a blob; must be seen nowhere. */
  get signature(): string {
    return this.#signature;
  }

  /** The methods of ArtifactService: request and answer are JSON. */
  readonly methods = {
    CreateArtifact: (request: unknown) => {
      const { name, expires_at } = read(create, request);
      if (this.artifacts.has(name))
        throw new Refusal(409, "already_exists", "an artifact with this name already exists on the workflow run");
      return { ok: true, signed_upload_url: this.#signed(this.add(name, expires_at)) };
    },
    FinalizeArtifact: (request: unknown) => {
      const { name, size, hash } = read(finalize, request);
      const artifact = this.#get(name);
      if (Number(size) !== artifact.content.length) throw new Refusal(400, "invalid_argument", "size does not match");
      if (hash !== undefined && hash !== digestOf(artifact)) throw new Refusal(400, "invalid_argument", "hash does not match");
      artifact.finalized = true;
      return { ok: true, artifact_id: String(artifact.id) };
    },
    ListArtifacts: (request: unknown) => {
      const { name_filter, id_filter } = read(list, request);
      const found = [...this.artifacts.values()].filter(
        ({ id, name, finalized }) => finalized && (name_filter ?? name) === name && (id_filter ?? String(id)) === String(id),
      );
      return { artifacts: found.map(describe) };
    },
    GetSignedArtifactURL: (request: unknown) => {
      const { workflow_run_backend_id: attempt, name } = read(readable, request);
      return { signed_url: this.#signed(this.#get(keyOf(name, attempt))) };
    },
    DeleteArtifact: (request: unknown) => {
      const { id, name } = this.#get(read(named, request).name);
      this.artifacts.delete(name);
      return { ok: true, artifact_id: String(id) };
    },
  };

  /** Puts an artifact there that was uploaded before. */
  put({ name, content, createdAt, digest, attempt }: EarlierArtifact): StoredArtifact {
    const artifact = this.add(name, undefined, { createdAt, attempt });
    artifact.content = content;
    artifact.contentType = "application/zip";
    artifact.finalized = true;
    if (digest !== undefined) artifact.digest = digest;
    return artifact;
  }

  signedUrlOf(artifact: StoredArtifact): string {
    return this.#signed(artifact);
  }

  add(name: string, expiresAt?: string, facts: { readonly [Key in "createdAt" | "attempt"]?: string | undefined } = {}): StoredArtifact {
    const artifact: StoredArtifact = {
      id: this.#nextId,
      name,
      expiresAt,
      createdAt: facts.createdAt ?? new Date().toISOString(),
      ...(facts.attempt === undefined ? {} : { attempt: facts.attempt }),
      content: Buffer.alloc(0),
      contentType: undefined,
      arrived: [],
      listed: [],
      finalized: false,
    };
    this.#nextId += 1;
    this.artifacts.set(keyOf(name, facts.attempt ?? runId), artifact);
    return artifact;
  }

  putBlock(id: number, signature: string | null, blockId: string, content: Buffer): void {
    this.blob(id, signature).arrived.push(blockId);
    this.#blocks.set(`${id} ${blockId}`, content);
  }

  /** Puts the blocks together as listed, whatever the order in which they came. */
  putBlockList(id: number, signature: string | null, xml: string, contentType: string | undefined): void {
    const artifact = this.blob(id, signature);
    artifact.listed = Array.from(xml.matchAll(/<Latest>([^<]+)<\/Latest>/g), ([, blockId = ""]) => blockId);
    artifact.content = Buffer.concat(
      artifact.listed.map((blockId) => {
        const block = this.#blocks.get(`${id} ${blockId}`);
        if (block === undefined) throw new Refusal(400, "InvalidBlockList", "the list names a block that was not sent");
        return block;
      }),
    );
    artifact.contentType = contentType;
  }

  blob(id: number, signature: string | null): StoredArtifact {
    if (signature !== this.#signature) throw new Refusal(403, "AuthenticationFailed", "the signature is wrong");
    const artifact = [...this.artifacts.values()].find((one) => one.id === id);
    if (artifact === undefined) throw new Refusal(404, "BlobNotFound", "no such blob");
    return artifact;
  }

  #get(name: string): StoredArtifact {
    const artifact = this.artifacts.get(name);
    if (artifact === undefined) throw new Refusal(404, "not_found", "artifact not found");
    return artifact;
  }

  #signed({ id }: StoredArtifact): string {
    return `${this.#blobUrl(id)}?se=2030-01-01&sig=${encodeURIComponent(this.#signature)}`;
  }
}

function read<Request>(schema: z.ZodType<Request>, request: unknown): Request {
  const { data, error } = schema.safeParse(request);
  if (data === undefined) throw new Refusal(400, "invalid_argument", z.prettifyError(error ?? new z.ZodError([])));
  return data;
}

export function digestOf({ content }: Pick<StoredArtifact, "content">): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

const keyOf = (name: string, attempt: string): string => (attempt === runId ? name : `${attempt}/${name}`);

const describe = (artifact: StoredArtifact) => ({
  workflow_run_backend_id: artifact.attempt ?? runId,
  workflow_job_run_backend_id: jobId,
  database_id: String(artifact.id),
  name: artifact.name,
  size: String(artifact.content.length),
  created_at: artifact.createdAt,
  ...(artifact.digest === null ? {} : { digest: artifact.digest ?? digestOf(artifact) }),
});
