const words: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ELOOP: "its links lead in a circle",
  ENOTDIR: "a part of its path is no folder",
  ENOENT: "it is not there any more",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
  EIO: "the disk reports an error",
};

/** Whether a path leads to nothing. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}

/** Why the system does not let a file or folder be read, in words; undefined for what is no error of the system. */
export function readFailure(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return undefined;
  return words[error.code] ?? error.code;
}
