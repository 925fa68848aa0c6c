import { PythonRegexError } from "../../python/python-error.ts";
import { compilePythonRegex, type PythonRegex } from "../../python/regex.ts";
import { searchersSource } from "../../python/regex-standalone.ts";
import { type CliMatch, matchCall } from "./match-cli.ts";

/** Milliseconds for one pattern in one value. */
const searchLimitMs = 1_000;

/**
 * A program for Node that chooses a stand-in's answer: it reads a call's words as a JSON array from stdin and prints `rule N` (from 0,
 * the first that fits), `none`, or `error` and a JSON text. It needs no file beside it, so that it runs in any sandbox that has Node, and
 * is the very code that judges `cli_called`.
 */
export function responderSource(whens: readonly CliMatch[]): string {
  const patterns = new Map<string, { readonly fault: string } | { readonly regex: PythonRegex }>();
  for (const when of whens) {
    for (const { matches_regex: pattern, flags } of Object.values(when.flags ?? {})) {
      if (pattern !== null) patterns.set(`${flags} ${pattern}`, compiled(pattern, flags));
    }
  }
  const sound = [...patterns].flatMap(([key, entry]) => ("regex" in entry ? [{ key, regex: entry.regex }] : []));
  const faults = [...patterns].flatMap(([key, entry]) => ("fault" in entry ? [[key, entry.fault]] : []));
  return `"use strict";
const fs = require("node:fs");
const vm = require("node:vm");
const searchers = ${searchersSource(sound.map(({ regex }) => regex))};
const keys = ${JSON.stringify(sound.map(({ key }) => key))};
const faults = new Map(${JSON.stringify(faults)});
const whens = ${JSON.stringify(whens)};
const matchCall = ${matchCall};
const limitMs = ${searchLimitMs};
const search = async (pattern, flags, text) => {
  const key = flags + " " + pattern;
  if (faults.has(key)) throw new Error("invalid regex '" + pattern + "': " + faults.get(key));
  let found = false;
  const context = vm.createContext({ run: () => { found = searchers[keys.indexOf(key)](text); } });
  try {
    new vm.Script("run()").runInContext(context, { timeout: limitMs });
  } catch (error) {
    if (error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new Error("the pattern '" + pattern + "' took longer than " + limitMs / 1000 + " s");
    throw error;
  }
  return found;
};
const answer = async (argv) => {
  try {
    for (const [index, when] of whens.entries()) if (await matchCall(when, argv, search)) return "rule " + index;
    return "none";
  } catch (error) {
    return "error " + JSON.stringify(String(error.message));
  }
};
answer(JSON.parse(fs.readFileSync(0, "utf8"))).then((text) => fs.writeSync(1, text + "\\n"));
`;
}

function compiled(pattern: string, flags: number): { readonly fault: string } | { readonly regex: PythonRegex } {
  try {
    return { regex: compilePythonRegex(pattern, flags) };
  } catch (error) {
    if (error instanceof PythonRegexError) return { fault: error.message };
    throw error;
  }
}
