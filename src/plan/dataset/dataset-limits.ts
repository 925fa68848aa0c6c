/** What a dataset may have; beyond that, planning would need more time and memory than a runner has. */
export const datasetLimits = {
  /** Bytes of one file of rows. */
  fileBytes: 256 * 1024 * 1024,
  /** Bytes of one line, so of one row. */
  lineBytes: 16 * 1024 * 1024,
  /** Lines of one file, blank ones too. */
  lines: 2_000_000,
  rows: 1_000_000,
  /** Findings after which reading stops: such a file is no JSONL. */
  problems: 1_000,
  /** Characters of one text with its placeholders filled. */
  textCharacters: 32 * 1024 * 1024,
  /** Characters of all filled texts of a dataset. */
  allCharacters: 1024 * 1024 * 1024,
};

export type DatasetLimits = typeof datasetLimits;
