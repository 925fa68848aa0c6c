import { isAbsolute, relative, resolve, sep } from "node:path";
import * as core from "@actions/core";
import { visibleText } from "../untrusted/characters.ts";
import { commandText, commandTitle, logLines } from "../untrusted/log.ts";
import { secretForms } from "../untrusted/secret-forms.ts";

/** Longest message of an annotation; the runner cuts there (actions/runner, ExecutionContext.cs). */
const maxMessageChars = 4096;
const maxTitleChars = 200;
/** A key and a reason have room in it. */
const maxGroupTitleChars = 300;

export interface AnnotationPlace {
  readonly title?: string | undefined;
  /** Absolute, or relative to the workspace; one outside of it is left out. */
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
  /** Hides a value, and every form that it comes back in, in the log and the summary from now on. */
  mask(secret: string): void;
}

/** What the runner decodes in the text of a command (actions/runner, ActionCommand.cs). */
const escapes: Readonly<Record<string, string>> = { "%": "%25", "\r": "%0D", "\n": "%0A" };

/** Lines for the job log that fold under a title. The title may be foreign; the lines must come from `logLines`. */
export function groupLines(title: string, lines: readonly string[]): string[] {
  const text = commandTitle(title, maxGroupTitleChars).replace(/[%\r\n]/g, (found) => escapes[found] ?? found);
  return [`::group::${text}`, ...lines, "::endgroup::"];
}

/** A file as GitHub names it: below the workspace, with `/`. A name that can't be written into a line has none. */
function fileOf(workspace: string, file: string): string | undefined {
  const path = relative(workspace, resolve(workspace, file)).split(sep).join("/");
  if (path === "" || path === ".." || path.startsWith("../") || isAbsolute(path)) return undefined;
  return visibleText(path) === path && !/[\t\n\r\u0085\u2028\u2029]|##\[/u.test(path) ? path : undefined;
}

/** Commands of the process's own job; `workspace` is what file names of annotations are relative to. */
export function createCommands(workspace: string): Commands {
  const propertiesOf = (place: AnnotationPlace = {}): core.AnnotationProperties => {
    const file = place.file === undefined ? undefined : fileOf(workspace, place.file);
    const title = commandTitle(place.title ?? "", maxTitleChars);
    return {
      ...(title === "" ? {} : { title }),
      // Without its file a line would be one of a file called ".github".
      ...(file === undefined ? {} : { file }),
      ...(file === undefined || place.line === undefined ? {} : { startLine: place.line }),
      ...(file === undefined || place.column === undefined ? {} : { startColumn: place.column }),
    };
  };
  const masked = new Set<string>();
  const said = new Set<string>();
  type Say = (message: string, properties: core.AnnotationProperties) => void;
  // GitHub keeps ten annotations of a kind for a step: one that says the same again would cost another its place.
  const annotate = (kind: string, say: Say, message: string, place: AnnotationPlace | undefined): void => {
    const text = commandText(message, maxMessageChars);
    const properties = propertiesOf(place);
    const key = JSON.stringify([kind, text, properties]);
    if (said.has(key)) return;
    said.add(key);
    // `core` escapes %, CR and LF, so that a message stays one command.
    say(text, properties);
  };
  return {
    error: (message, place) => annotate("error", core.error, message, place),
    warning: (message, place) => annotate("warning", core.warning, message, place),
    notice: (message, place) => annotate("notice", core.notice, message, place),
    lines(text, prefix) {
      for (const line of logLines(text, prefix)) core.info(line);
    },
    mask(secret) {
      // Of a value of several lines the runner would mask each line, a lone `{` as well; its lines are forms of their own.
      for (const form of secretForms(secret)) {
        if (/[\r\n]/.test(form) || masked.has(form)) continue;
        masked.add(form);
        core.setSecret(form);
      }
    },
  };
}
