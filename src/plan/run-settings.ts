/** What becomes of the files that a task left (formats.md 8.9). */
export const preservationModes = ["NONE", "MOVE_ON_WRITE", "DIRECT_WRITE"] as const;
export type PreservationMode = (typeof preservationModes)[number];

/** More tasks at a time than this is a typing error. */
export const maxConcurrency = 1000;
