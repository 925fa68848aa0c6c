import { isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { quote } from "../found-text.ts";
import { plainKind, type ScalarKind } from "./yaml-scalars.ts";

/** A problem with the place where it was found: an offset into the text. */
export interface YamlFault {
  readonly code: string;
  readonly offset: number;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** Ends the construction at the first fault: what follows would be guesswork. */
export class YamlFaultError extends Error {
  readonly fault: YamlFault;
  constructor(fault: YamlFault) {
    super(fault.message);
    this.fault = fault;
  }
}

export const yamlTags = "tag:yaml.org,2002:";
const collectionKinds = new Set(["map", "seq", "set", "omap", "pairs"]);
const scalarKinds: Readonly<Record<string, ScalarKind>> = {
  str: "str",
  int: "int",
  float: "float",
  bool: "bool",
  null: "null",
  timestamp: "timestamp",
  binary: "binary",
};

export function offsetOf(node: unknown): number {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0;
}

/** The kind of a scalar node, as its tag or its text says. */
export function kindOfScalar(node: Scalar): ScalarKind {
  const tag = node.tag;
  const text = textOf(node);
  if (tag === undefined || tag === "!") return node.type === "PLAIN" ? plainKind(text) : "str";
  const kind = tag.startsWith(yamlTags) ? scalarKinds[tag.slice(yamlTags.length)] : undefined;
  if (kind !== undefined) return kind;
  throw new YamlFaultError({ code: "yaml-tag", offset: offsetOf(node), message: `unknown tag ${quote(tag)} for a plain value` });
}

export function textOf(node: Scalar): string {
  return typeof node.value === "string" ? node.value : "";
}

/**
 * A scalar's text as PyYAML reads it, where the parser underneath is wrong: at the end of the file.
 * @throws YamlFaultError
 */
export function textInFile(file: string, node: Scalar): string {
  const text = textOf(node);
  if ((node.range?.[1] ?? 0) < file.length || node.type === "PLAIN" || node.type === "QUOTE_SINGLE") return text;
  if (node.type === "QUOTE_DOUBLE") {
    // The parser takes the `\\"` at the end of a file for a closing quote.
    let first = file.length - 1;
    while (file[first - 1] === "\\") first -= 1;
    const isEscaped = file.endsWith('"') && (file.length - 1 - first) % 2 === 1;
    if (!isEscaped) return text;
    throw new YamlFaultError({ code: "yaml-syntax", offset: offsetOf(node), message: "missing closing quote" });
  }
  // A block that ends with the file, without a last line break, has none either; the parser adds it.
  const lastLine = file.slice(file.lastIndexOf("\n") + 1);
  const isContent = lastLine.trim() !== "" || /(?:^|\n)[ \t]+\n$/.test(text);
  return lastLine !== "" && isContent && text.endsWith("\n") ? text.slice(0, -1) : text;
}

export function kindOfCollection(node: YAMLMap | YAMLSeq, natural: "map" | "seq"): string {
  const tag = node.tag;
  if (tag === undefined || tag === "!") return natural;
  const kind = tag.startsWith(yamlTags) ? tag.slice(yamlTags.length) : tag;
  const fits = natural === "map" ? kind === "map" || kind === "set" : kind === "seq" || kind === "omap" || kind === "pairs";
  if (fits) return kind;
  const what = natural === "map" ? "mapping" : "list";
  const message =
    collectionKinds.has(kind) || kind in scalarKinds ? `tag '!!${kind}' on a ${what}` : `unknown tag ${quote(tag)} for a ${what}`;
  throw new YamlFaultError({ code: "yaml-tag", offset: offsetOf(node), message });
}
