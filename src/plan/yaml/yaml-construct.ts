import { type Alias, isAlias, isMap, isScalar, isSeq, type Scalar, type YAMLMap, type YAMLSeq } from "yaml";
import { quote } from "../found-text.ts";
import { kindOfCollection, kindOfScalar, offsetOf, textInFile, textOf, YamlFaultError, yamlTags } from "./yaml-kinds.ts";
import { ScalarError, scalarValue } from "./yaml-scalars.ts";

/** Levels of lists and mappings. Files of people have ten; whoever walks a value later may recurse without care. */
export const maxDepth = 200;

/** Aliases may repeat at most this many nodes in all: files with real anchors stay far below, a "billion laughs" does not. */
export const maxAliasedNodes = 100_000;

interface Anchored {
  readonly value: unknown;
  /** How many nodes an alias to it repeats. */
  readonly nodes: number;
}

/** What a mapping key is to Python: 1, 1.0 and true are one key; '1' is another. */
function keyIdentity(key: unknown): unknown {
  return typeof key === "boolean" ? Number(key) : typeof key === "bigint" ? key.toString() : key instanceof Object ? String(key) : key;
}

const tooDeep = `the file is nested more than ${maxDepth} levels deep`;

type Entry = readonly [key: unknown, value: unknown];
type OwnEntry = readonly [key: unknown, value: unknown, keyNode: unknown];

/**
 * Builds plain values out of a parsed document as PyYAML's safe loader does: mappings with text keys become objects,
 * others `Map`; aliases share their value. Duplicate keys: the last one wins and `onDuplicate` hears of it.
 */
export class YamlConstructor {
  readonly #anchors = new Map<string, Anchored | "open">();
  readonly #text: string;
  readonly #onDuplicate: (key: unknown, offset: number) => void;
  #nodes = 0;
  #aliased = 0;
  #depth = 0;

  constructor(text: string, onDuplicate: (key: unknown, offset: number) => void) {
    this.#text = text;
    this.#onDuplicate = onDuplicate;
  }

  /** @throws YamlFaultError */
  construct(node: unknown): unknown {
    this.#nodes += 1;
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#alias(node).value;
    if (!(isScalar(node) || isMap(node) || isSeq(node))) throw new YamlFaultError({ code: "yaml", offset: 0, message: "unreadable value" });
    const anchor = node.anchor;
    if (anchor === undefined) return this.#node(node);
    if (!/^[0-9A-Za-z_-]+$/.test(anchor)) {
      throw new YamlFaultError({
        code: "yaml-anchor",
        offset: offsetOf(node),
        message: `${quote(`&${anchor}`)} is no anchor: letters, digits, '_' and '-'`,
      });
    }
    if (this.#anchors.has(anchor)) {
      throw new YamlFaultError({ code: "yaml-anchor", offset: offsetOf(node), message: `the anchor ${quote(`&${anchor}`)} is set twice` });
    }
    this.#anchors.set(anchor, "open");
    const before = this.#nodes;
    const value = this.#node(node);
    this.#anchors.set(anchor, { value, nodes: this.#nodes - before + 1 });
    return value;
  }

  #node(node: Scalar | YAMLMap | YAMLSeq): unknown {
    if (isScalar(node)) return this.#scalar(node);
    this.#depth += 1;
    if (this.#depth > maxDepth) throw new YamlFaultError({ code: "yaml-depth", offset: offsetOf(node), message: tooDeep });
    const value = isMap(node) ? this.#mapping(node) : this.#sequence(node);
    this.#depth -= 1;
    return value;
  }

  #alias(node: Alias): Anchored {
    const offset = offsetOf(node);
    const target = this.#anchors.get(node.source);
    if (target === undefined)
      throw new YamlFaultError({ code: "yaml-alias", offset, message: `no anchor ${quote(`&${node.source}`)} before this alias` });
    if (target === "open")
      throw new YamlFaultError({ code: "yaml-alias", offset, message: `${quote(`*${node.source}`)} stands inside its own anchor` });
    this.#nodes += target.nodes;
    this.#aliased += target.nodes;
    if (this.#aliased > maxAliasedNodes) {
      throw new YamlFaultError({
        code: "yaml-alias",
        offset,
        message: `aliases repeat more than ${maxAliasedNodes.toLocaleString("en-US")} values`,
      });
    }
    return target;
  }

  #scalar(node: Scalar): unknown {
    const kind = kindOfScalar(node);
    if (kind === "merge" || kind === "value") {
      const text = textOf(node);
      throw new YamlFaultError({
        code: "yaml-value",
        offset: offsetOf(node),
        message: `a plain '${text}' is no value`,
        hint: `put it in quotes: '${text}'`,
      });
    }
    const text = textInFile(this.#text, node);
    try {
      return scalarValue(kind, text);
    } catch (error) {
      if (!(error instanceof ScalarError)) throw error;
      throw new YamlFaultError({
        code: "yaml-value",
        offset: offsetOf(node),
        message: `${quote(text)} ${error.message}`,
        hint: "put text in quotes",
      });
    }
  }

  #sequence(node: YAMLSeq): unknown {
    const kind = kindOfCollection(node, "seq");
    if (kind === "seq") return node.items.map((item) => this.construct(item));
    return node.items.map((item) => {
      const pair = isMap(item) && item.items.length === 1 ? item.items[0] : undefined;
      if (pair === undefined)
        throw new YamlFaultError({ code: "yaml-tag", offset: offsetOf(item), message: `'!!${kind}' wants a list of single pairs` });
      return [this.construct(pair.key), this.construct(pair.value)];
    });
  }

  #mapping(node: YAMLMap): unknown {
    const kind = kindOfCollection(node, "map");
    const merged: Entry[] = [];
    const own: OwnEntry[] = [];
    for (const pair of node.items) {
      if (isScalar(pair.key) && this.#isMergeKey(pair.key)) for (const entry of this.#mergeEntries(pair.value)) merged.push(entry);
      else {
        if (node.flow !== true) this.#refuseEmptyKey(pair.key);
        own.push([this.#key(pair.key), this.construct(pair.value), pair.key]);
      }
    }
    const value = this.#collect(merged, own);
    return kind === "set" ? new Set(value instanceof Map ? value.keys() : Object.keys(value)) : value;
  }

  /** In a block mapping a line that begins with ':' has no key. */
  #refuseEmptyKey(key: unknown): void {
    if (!(isScalar(key) && key.type === "PLAIN" && key.value === "")) return;
    let before = offsetOf(key) - 1;
    while (/\s/.test(this.#text[before] ?? "")) before -= 1;
    if (this.#text[before] !== "?")
      throw new YamlFaultError({ code: "yaml-key", offset: offsetOf(key), message: "a key is missing before ':'" });
  }

  #isMergeKey(key: Scalar): boolean {
    if (key.tag === `${yamlTags}merge`) return true;
    return (key.tag === undefined || key.tag === "!") && key.type === "PLAIN" && key.value === "<<";
  }

  #key(node: unknown): unknown {
    const key = isScalar(node) && node.tag === undefined && node.type === "PLAIN" && node.value === "=" ? "=" : this.construct(node);
    if (Array.isArray(key) || key instanceof Map || key instanceof Set || isPlainObject(key)) {
      throw new YamlFaultError({ code: "yaml-key", offset: offsetOf(node), message: "a mapping key must not be a list or a mapping" });
    }
    if (key === "__proto__")
      throw new YamlFaultError({ code: "yaml-key", offset: offsetOf(node), message: "the key '__proto__' is not allowed" });
    return key;
  }

  /** Entries that `<<` brings in, the weakest first. */
  #mergeEntries(node: unknown): Entry[] {
    const value = this.construct(node);
    const entries = entriesOf(value);
    if (entries !== undefined) return entries;
    if (!Array.isArray(value)) {
      throw new YamlFaultError({ code: "yaml-merge", offset: offsetOf(node), message: "'<<' wants a mapping or a list of mappings" });
    }
    return value.toReversed().flatMap((item: unknown) => {
      const inner = entriesOf(item);
      if (inner === undefined)
        throw new YamlFaultError({ code: "yaml-merge", offset: offsetOf(node), message: "'<<' wants a list of mappings" });
      return inner;
    });
  }

  #collect(merged: readonly Entry[], own: readonly OwnEntry[]): Record<string, unknown> | Map<unknown, unknown> {
    const simple = merged.length === 0 ? this.#collectText(own) : undefined;
    if (simple !== undefined) return simple;
    const entries = new Map<unknown, Entry>();
    let textKeys = true;
    for (const [key, value] of merged) {
      entries.set(keyIdentity(key), [key, value]);
      textKeys &&= typeof key === "string";
    }
    const seen = new Set<unknown>();
    for (const [key, value, node] of own) {
      const identity = keyIdentity(key);
      if (seen.has(identity)) this.#onDuplicate(key, offsetOf(node));
      seen.add(identity);
      // As in Python, a key that comes again keeps its first place and spelling.
      entries.set(identity, [entries.get(identity)?.[0] ?? key, value]);
      textKeys &&= typeof key === "string";
    }
    if (!textKeys) return new Map(entries.values());
    const object: Record<string, unknown> = {};
    for (const [key, value] of entries.values()) object[String(key)] = value;
    return object;
  }

  /** The common case, all keys text, without the detour over a `Map`. */
  #collectText(own: readonly OwnEntry[]): Record<string, unknown> | undefined {
    if (!own.every(([key]) => typeof key === "string")) return undefined;
    const object: Record<string, unknown> = {};
    for (const [key, value, node] of own) {
      const name = String(key);
      if (Object.hasOwn(object, name)) this.#onDuplicate(name, offsetOf(node));
      object[name] = value;
    }
    return object;
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function entriesOf(value: unknown): Entry[] | undefined {
  if (value instanceof Map) return [...value.entries()];
  return isPlainObject(value) ? Object.entries(value) : undefined;
}
