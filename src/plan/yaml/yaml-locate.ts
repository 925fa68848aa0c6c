import { isAlias, isMap, isScalar, isSeq, type Node, visit, type YAMLMap } from "yaml";
import { offsetOf } from "./yaml-kinds.ts";

interface Place {
  readonly key: unknown;
  readonly value: unknown;
}

/**
 * The node of a value, and of its key, in a parsed document; `undefined` when the document has nothing there.
 * Slow but rare: it is asked for the places of problems only.
 */
export function placeAt(root: unknown, path: readonly PropertyKey[]): Place | undefined {
  let place: Place = { key: undefined, value: root };
  for (const step of path) {
    const next = childPlace(root, target(root, place.value), step);
    if (next === undefined) return undefined;
    place = next;
  }
  return place;
}

/** Offset of the place a path leads to, of its key or of its value; of the nearest place above it when it is not there. */
export function offsetAt(root: unknown, path: readonly PropertyKey[], of: "key" | "value"): number {
  for (let length = path.length; length > 0; length -= 1) {
    const place = placeAt(root, path.slice(0, length));
    if (place === undefined) continue;
    const node = of === "key" && place.key !== undefined ? place.key : (place.value ?? place.key);
    return offsetOf(node);
  }
  return offsetOf(root);
}

function childPlace(root: unknown, node: unknown, step: PropertyKey): Place | undefined {
  if (isSeq(node)) return typeof step === "number" && step < node.items.length ? { key: undefined, value: node.items[step] } : undefined;
  return isMap(node) ? pairPlace(root, node, String(step)) : undefined;
}

function pairPlace(root: unknown, map: YAMLMap, name: string): Place | undefined {
  let found: Place | undefined;
  for (const pair of map.items) if (isScalar(pair.key) && String(pair.key.value) === name) found = { key: pair.key, value: pair.value };
  if (found !== undefined) return found;
  for (const pair of map.items) {
    if (!isScalar(pair.key) || pair.key.value !== "<<") continue;
    const merged = target(root, pair.value);
    for (const part of isSeq(merged) ? merged.items : [merged]) {
      const inner = target(root, part);
      const place = isMap(inner) && inner !== map ? pairPlace(root, inner, name) : undefined;
      if (place !== undefined) return place;
    }
  }
  return undefined;
}

/** What an alias stands for. */
function target(root: unknown, node: unknown): unknown {
  if (!isAlias(node)) return node;
  let anchored: Node | undefined;
  const name = node.source;
  if (isMap(root) || isSeq(root) || isScalar(root)) {
    visit(root, {
      Value(_key, candidate) {
        if (candidate.anchor !== name) return undefined;
        anchored = candidate;
        return visit.BREAK;
      },
    });
  }
  return anchored;
}
