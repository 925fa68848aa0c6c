import { relative, sep } from "node:path";
import * as core from "@actions/core";
import { visibleText } from "../untrusted/characters.ts";
import { logLines } from "../untrusted/log.ts";
import { secretForms } from "../untrusted/secret-forms.ts";

/** Longest message of an annotation; the runner cuts there (actions/runner, ExecutionContext.cs). */
const maxMessageChars = 4096;
const maxTitleChars = 200;

export interface AnnotationPlace {
  readonly title?: string | undefined;
  /** Absolute, or relative to the workspace. */
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
}

/** What the action says to the job log and to the page of the run. Foreign text may be passed: it is cleaned here. */
export interface Commands {
  error(message: string, place?: AnnotationPlace): void;
  warning(message: string, place?: AnnotationPlace): void;
  notice(message: string, place?: AnnotationPlace): void;
  /** Lines of ours or of foreign text, each behind the prefix. */
  lines(text: string, prefix: string): void;
  group<Result>(title: string, work: () => Promise<Result>): Promise<Result>;
  /** Hides a value, and every form that it comes back in, in the log and the summary from now on. */
  mask(secret: string): void;
}

/** Cleaned, and cut without splitting a character. */
function clean(text: string, maxChars: number): string {
  const visible = visibleText(text.slice(0, maxChars * 4));
  return visible.length <= maxChars ? visible : `${visible.slice(0, maxChars - 1).toWellFormed()}…`;
}

/** Commands of the process's own job; `workspace` is what file names of annotations are relative to. */
export function createCommands(workspace: string): Commands {
  const propertiesOf = (place: AnnotationPlace = {}): core.AnnotationProperties => {
    const { title, file, line, column } = place;
    return {
      ...(title === undefined ? {} : { title: clean(title, maxTitleChars).replace(/\s+/g, " ") }),
      ...(file === undefined ? {} : { file: relative(workspace, file).split(sep).join("/") }),
      ...(line === undefined ? {} : { startLine: line }),
      ...(column === undefined ? {} : { startColumn: column }),
    };
  };
  return {
    // `core` escapes %, CR and LF, so that a message stays one command.
    error: (message, place) => core.error(clean(message, maxMessageChars), propertiesOf(place)),
    warning: (message, place) => core.warning(clean(message, maxMessageChars), propertiesOf(place)),
    notice: (message, place) => core.notice(clean(message, maxMessageChars), propertiesOf(place)),
    lines(text, prefix) {
      for (const line of logLines(text, prefix)) core.info(line);
    },
    group: (title, work) => core.group(clean(title, maxTitleChars).replace(/\s+/g, " "), work),
    mask(secret) {
      for (const form of secretForms(secret)) core.setSecret(form);
    },
  };
}
