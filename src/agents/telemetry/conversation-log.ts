import { cut } from "../../results/cut-text.ts";
import { splitLines, visibleText } from "../../untrusted/characters.ts";
import type { AgentEvent, EndEvent, ErrorEvent, RetryEvent, SessionEvent, ToolCallEvent } from "../agent-event.ts";

// What an agent does, for a person who reads along. All of it is foreign text: without controls, and no line of it looks like a heading.

/** Characters of what a tool was called with, in one line. */
const callCharacters = 300;
const lineCharacters = 500;
/** Of a tool's result. */
const resultLines = 20;
const resultCharacters = 2000;
const textCharacters = 50_000;

/** The parameters that tell best what a tool does, in this order. */
const tellingParameters = [
  "command",
  "file_path",
  "path",
  "notebook_path",
  "pattern",
  "query",
  "url",
  "skill",
  "name",
  "description",
  "prompt",
];

/** How `conversation.log` begins a turn: the prompt. */
export function conversationPrompt(prompt: string, turn = 1): string {
  return `=== USER (turn ${turn}) — ${prompt.length.toLocaleString("en-US")} characters ===\n\n${block(prompt, textCharacters)}\n\n`;
}

/** What an event says, for `conversation.log`, with its line end; undefined where it says nothing to a person. */
export function conversationBlock(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case "session":
      return `=== AGENT (turn 1) — ${sessionText(event)} ===\n\n`;
    case "text":
      return `${block(event.text, textCharacters)}\n\n`;
    case "thinking":
      return `(thinking) ${block(event.text, textCharacters)}\n\n`;
    case "tool call":
      return `> ${callText(event)}\n`;
    case "tool result":
      return `  ${resultHead(event.status, event.exitCode)}\n${indented(event.text)}\n`;
    case "retry":
      return `! ${retryText(event)}\n\n`;
    case "error":
      return `! ${errorText(event)}\n\n`;
    case "end":
      return `=== END — ${endText(event)} ===\n\n`;
    case "model call":
    case "unknown":
      return undefined;
  }
}

/** What an event says in one line, for `task.log` and a display; undefined where it says nothing to a person. */
export function readableLine(event: AgentEvent): string | undefined {
  switch (event.kind) {
    case "session":
      return oneLine(sessionText(event), lineCharacters);
    case "text":
      return oneLine(event.text, lineCharacters);
    case "thinking":
      return `(thinking) ${oneLine(event.text, lineCharacters)}`;
    case "tool call":
      return callText(event);
    case "tool result":
      return `  ${resultHead(event.status, event.exitCode)}${event.text.trim() === "" ? "" : `: ${oneLine(event.text, callCharacters)}`}`;
    case "retry":
      return retryText(event);
    case "error":
      return errorText(event);
    case "end":
      return `${endText(event)}${event.result === undefined ? "" : `: ${oneLine(event.result, lineCharacters)}`}`;
    case "model call":
      return undefined;
    case "unknown":
      return `unknown line: ${oneLine(event.line, callCharacters)}`;
  }
}

function sessionText({ model, version, sessionId }: SessionEvent): string {
  const parts = [
    model,
    version === undefined ? undefined : `version ${version}`,
    sessionId === undefined ? undefined : `session ${sessionId}`,
  ];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? "a session begins" : oneLine(known.join(", "), lineCharacters);
}

function callText({ tool, parameters }: ToolCallEvent): string {
  const name = oneLine(tool, 100);
  const telling = tellingParameters.map((key) => parameters[key]).find((value) => typeof value === "string" && value.trim() !== "");
  if (typeof telling === "string") return `${name}: ${oneLine(telling, callCharacters)}`;
  if (Object.keys(parameters).length === 0) return name;
  return `${name}: ${oneLine(jsonOf(parameters), callCharacters)}`;
}

/** Parameters may be nested too deeply for a writer of JSON. */
function jsonOf(parameters: ToolCallEvent["parameters"]): string {
  try {
    return JSON.stringify(parameters) ?? "";
  } catch {
    return Object.keys(parameters).join(", ");
  }
}

function resultHead(status: string, exitCode: number | undefined): string {
  return exitCode === undefined ? status : `${status} (exit code ${exitCode})`;
}

function retryText({ attempt, status, delayMs, message }: RetryEvent): string {
  const facts = [
    attempt === undefined ? undefined : `retry ${attempt}`,
    httpText(status),
    delayMs === undefined ? undefined : `waits ${(delayMs / 1000).toFixed(1)} s`,
  ];
  return `tries again${inBrackets(facts)}: ${oneLine(message, lineCharacters)}`;
}

function errorText({ status, final, message }: ErrorEvent): string {
  return `${final ? "gives up" : "error"}${inBrackets([httpText(status)])}: ${oneLine(message, lineCharacters)}`;
}

function endText({ isError, subtype, turns, costUsd }: EndEvent): string {
  const facts = [turns === undefined ? undefined : `${turns} turns`, costUsd === undefined ? undefined : `$${costUsd.toFixed(4)}`];
  return `${isError ? "ended with an error" : "done"}: ${oneLine(subtype, 100)}${inBrackets(facts)}`;
}

function httpText(status: number | undefined): string | undefined {
  return status === undefined ? undefined : `HTTP ${status}`;
}

function inBrackets(facts: readonly (string | undefined)[]): string {
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? "" : ` (${known.join(", ")})`;
}

function oneLine(text: string, characters: number): string {
  // Only what can be shown is looked at: a result may have megabytes.
  const shown = splitLines(visibleText(text.slice(0, characters * 8)));
  const line = shown
    .map((each) => each.trim())
    .filter((each) => each !== "")
    .join(" ⏎ ");
  return cut(line, characters);
}

function block(text: string, characters: number): string {
  return shownLines(text, characters)
    .map((line) => (line.startsWith("===") ? ` ${line}` : line))
    .join("\n");
}

function indented(text: string): string {
  const lines = shownLines(text, resultCharacters);
  if (lines.join("") === "") return "";
  const left = lines.length - resultLines;
  const shown = left > 0 ? [...lines.slice(0, resultLines), `… (${left.toLocaleString("en-US")} more lines)`] : lines;
  return `${shown.map((line) => `  | ${line}`).join("\n")}\n`;
}

function shownLines(text: string, characters: number): string[] {
  return splitLines(cut(visibleText(text.slice(0, characters * 2)).trim(), characters));
}
