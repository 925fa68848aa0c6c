import { shellWord } from "./shell-word.ts";

/** How messages name what the user wrote: the flags of the command line, or the inputs of the action. */
export interface FlagNames {
  readonly set: string;
  readonly type: string;
  readonly model: string;
  readonly driver: string;
  readonly repeats: string;
  readonly image: string;
  /** Head of a message about one entry of `set`; `path` may be foreign text that was made safe. */
  readonly place: (path: string) => string;
  /** An entry of `set` as the user has to write it. */
  readonly example: (assignment: string) => string;
}

export const cliFlagNames: FlagNames = {
  set: "-D",
  type: "--type",
  model: "--model",
  driver: "--driver",
  repeats: "--repeats",
  image: "--image",
  place: (path) => `-D ${path}`,
  example: (assignment) => `-D ${shellWord(assignment)}`,
};

/** Those of `action.yml`. */
export const inputNames: FlagNames = {
  set: 'input "set"',
  type: 'input "agent"',
  model: 'input "model"',
  driver: 'input "driver"',
  repeats: 'input "repeats"',
  image: 'input "image"',
  place: (path) => `input "set": ${path}`,
  example: (assignment) => assignment,
};
