/** What may be copied at most. Bytes are those that leave, sizes of files as they claim to be: a sparse file counts in full. */
export interface StageLimits {
  readonly fileBytes: number;
  readonly totalBytes: number;
  readonly files: number;
  /** Of each group: of one task's files. */
  readonly groupBytes: number;
  readonly groupFiles: number;
}

const mib = 1024 * 1024;

export const defaultStageLimits: StageLimits = {
  // A result or log of this size is read by nobody; what is larger is a data set, a disk image or a core dump.
  fileBytes: 100 * mib,
  // Free plans store 500 MB of artifacts in all, and a job that uploads more is soon slower than its tasks.
  totalBytes: 500 * mib,
  // The client that uploads keeps a record of each file, and each costs a round through the zip stream.
  files: 50_000,
  // No task can take the room of the others.
  groupBytes: 200 * mib,
  groupFiles: 20_000,
};

/** Directory levels below the root; more have no place in a path of 4,096 bytes that a person made. */
export const maxDepth = 100;
/** What the kernel takes as one path. */
export const maxPathBytes = 4096;
/** Names looked at, taken or not: a tree made to keep us busy ends here. */
export const maxEntries = 1_000_000;
