/** How an agent's program gets into a sandbox: an npm package, and Node where it needs one. */
export interface KitRecipe {
  /** Of the agent type: also the name of the kit's directory and of its launcher. */
  readonly name: string;
  /** Name of the program where a task's image brings it (`agent-version: image`). */
  readonly program: string;
  readonly npmPackage: string;
  /** The version that was tried with this adapter. */
  readonly version: string;
  /** File inside the installed tree that is started, relative to `node_modules/`, by platform where it differs (`linux-x64`). */
  readonly entry: string | Readonly<Record<string, string>>;
  /** `node`: the entry is JavaScript and is started with the kit's Node; `native`: it is a program. */
  readonly runtime: "node" | "native";
}

/** A kit that is there: files on this machine that a driver brings into its sandboxes, read-only. */
export interface Kit {
  readonly name: string;
  readonly version: string;
  /** Absolute directory on this machine; holds `bin/<name>` and everything that it needs. */
  readonly directory: string;
  /** Digest of its contents: names the volume. */
  readonly digest: string;
  /** The dynamic loader that its program asks for, e.g. `/lib64/ld-linux-x86-64.so.2`; undefined when it needs none. */
  readonly loader?: string | undefined;
}
