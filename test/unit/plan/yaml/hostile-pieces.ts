import { maxYamlBytes } from "../../../../src/plan/yaml/yaml.ts";

/** A text that wants to cost time or memory, or to be mistaken for something else. */
export interface HostileText {
  readonly name: string;
  readonly text: () => string;
  /** `read`, or the code of the first error: a text that is fine as YAML and no task ends with `missing-field`. */
  readonly ends: string;
}

export const mega = 1_000_000;
/** Nearly as large as a file may be. */
export const most = maxYamlBytes - 1000;
/** As much of a piece as a file may hold. */
export const filled = (piece: string): string => piece.repeat(Math.floor((most - 1000) / Buffer.byteLength(piece)));
/** Each of so many pieces in turn. */
export const repeated = (count: number, each: (index: number) => string): string =>
  Array.from({ length: count }, (_none, index) => each(index)).join("");
/** A task that loads: what follows is what is tried. */
export const task =
  "task_id: t\ndescription: d\nagent: {type: none}\nsuccess_criteria: [{type: run_command, description: d, command: 'true'}]\n";
