import type { Issue } from "../../errors.ts";
import { quote } from "../found-text.ts";
import { offsetIn, type Place } from "./quick/places.ts";
import { quickPlaces, quickYaml } from "./quick/quick-yaml.ts";
import { decodeUtf8, type Position, SourceText } from "./source-text.ts";
import { YamlConstructor } from "./yaml-construct.ts";
import { type YamlFault, YamlFaultError } from "./yaml-kinds.ts";
import { offsetAt } from "./yaml-locate.ts";
import { parseNodes, refuseTooManyTokens } from "./yaml-nodes.ts";
import { textFaults, treeFaults } from "./yaml-strict.ts";

/** A task file is prose and settings; more than this many bytes is something else. */
export const maxYamlBytes = 4 * 1024 * 1024;

const maxDuplicateWarnings = 20;

export interface ParsedYaml {
  readonly kind: "parsed";
  readonly value: unknown;
  /** The document's nodes, for what `value` does not tell. Made on the first question: costs several times what `value` does. */
  readonly root: unknown;
  readonly source: SourceText;
  /** Where the value at a path stands, or its key; the nearest place above it when it is not there. */
  readonly positionOf: (path: readonly PropertyKey[], of: "key" | "value") => Position;
  /** Duplicate keys. */
  readonly warnings: readonly Issue[];
}

export interface InvalidYaml {
  readonly kind: "invalid";
  readonly issues: readonly Issue[];
  readonly source: SourceText | undefined;
}

/**
 * Reads one YAML document with the meaning of PyYAML's `safe_load` (formats.md 1, trap 11): YAML 1.1 booleans, numbers,
 * dates and merge keys. Mappings become plain objects (a `Map` where a key is not text), dates `YamlTimestamp`,
 * integers beyond 2^53 `bigint`. Intended difference: duplicate keys warn. Never throws on any input.
 */
export function parseYaml(bytes: Uint8Array, file: string): ParsedYaml | InvalidYaml {
  const refuse = (code: string, message: string, hint?: string): InvalidYaml => ({
    kind: "invalid",
    issues: [{ severity: "error", code, message, file, hint }],
    source: undefined,
  });
  if (bytes.length > maxYamlBytes) {
    return refuse(
      "file-too-large",
      `the file has ${bytes.length} bytes, more than ${maxYamlBytes}`,
      "a task file is text of a few kilobytes",
    );
  }
  const decoded = decodeUtf8(bytes);
  if (decoded.kind === "invalid") {
    return refuse("not-utf8", `the file is not UTF-8: byte ${decoded.byte} (counted from 0) starts no character`, "save it as UTF-8");
  }
  // As Python reads text: CRLF and a lone CR are line breaks. Lines and columns stay the same.
  const text = decoded.text.includes("\r") ? decoded.text.replace(/\r\n?/g, "\n") : decoded.text;
  return parseText(new SourceText(file, text));
}

function parseText(source: SourceText): ParsedYaml | InvalidYaml {
  const early = textFaults(source.text);
  if (early.length > 0) return invalidYaml(source, early, same);
  try {
    refuseTooManyTokens(source.text);
  } catch (error) {
    if (error instanceof YamlFaultError) return invalidYaml(source, [error.fault], same);
    throw error;
  }
  const quick = quickYaml(source.text);
  return quick === undefined ? parseWhole(source) : new QuickParsed(source, quick.value);
}

/** A value that was read without its places; they are looked up if somebody asks. */
class QuickParsed implements ParsedYaml {
  readonly kind = "parsed";
  readonly value: unknown;
  readonly source: SourceText;
  readonly warnings: readonly Issue[] = [];
  #root: unknown;
  #places: Place | undefined;

  constructor(source: SourceText, value: unknown) {
    this.source = source;
    this.value = value;
  }

  get root(): unknown {
    this.#root ??= parseNodes(this.source.text).documents[0]?.contents ?? null;
    return this.#root;
  }

  positionOf(path: readonly PropertyKey[], of: "key" | "value"): Position {
    this.#places ??= quickPlaces(this.source.text);
    return this.source.positionAt(offsetIn(this.#places, path, of));
  }
}

const same = (offset: number): number => offset;

/** The way of the parser that knows all of YAML, for a text without `textFaults`. */
export function parseWhole(source: SourceText): ParsedYaml | InvalidYaml {
  const warnings: Issue[] = [];
  let originalOffset = same;
  try {
    const nodes = parseNodes(source.text);
    originalOffset = nodes.originalOffset;
    const faults = treeFaults(nodes.text, nodes.documents);
    if (faults.length > 0) return invalidYaml(source, faults, originalOffset);
    const root = nodes.documents[0]?.contents ?? null;
    const builder = new YamlConstructor(nodes.text, (key, offset) => {
      if (warnings.length >= maxDuplicateWarnings) return;
      const fault = { code: "duplicate-key", offset, message: `the key ${quote(String(key))} comes again; this one wins` };
      warnings.push(issueOf(source, fault, originalOffset, "warning"));
    });
    const value = builder.construct(root);
    const positionOf: ParsedYaml["positionOf"] = (path, of) => source.positionAt(originalOffset(offsetAt(root, path, of)));
    return { kind: "parsed", value, root, source, positionOf, warnings };
  } catch (error) {
    if (error instanceof YamlFaultError) return invalidYaml(source, [error.fault], originalOffset);
    // The parser and the construction recurse: a file of ten thousand brackets ends here, as it does in Python.
    if (!(error instanceof RangeError)) throw error;
    return invalidYaml(source, [{ code: "yaml-depth", offset: 0, message: "the file is nested too deeply" }], originalOffset);
  }
}

function issueOf(source: SourceText, fault: YamlFault, originalOffset: (offset: number) => number, severity: Issue["severity"]): Issue {
  const position = source.positionAt(originalOffset(fault.offset));
  return { severity, code: fault.code, message: fault.message, file: source.file, ...position, hint: fault.hint };
}

function invalidYaml(source: SourceText, faults: readonly YamlFault[], originalOffset: (offset: number) => number): InvalidYaml {
  return { kind: "invalid", issues: faults.map((fault) => issueOf(source, fault, originalOffset, "error")), source };
}
