import fc from "fast-check";
import type { Fields } from "../../../../src/plan/layers/merge.ts";
import type { DeepRule, MergeRule } from "../../../../src/plan/layers/merge-rules.ts";

const leaf = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(null), fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }));

/** Any part of a block that a layer may set; all layers agree on which fields are mappings. */
export function blockOf(rule: DeepRule): fc.Arbitrary<Fields> {
  const fields = Object.fromEntries([...rule.fields].map(([name, field]) => [name, fieldOf(field)]));
  const free = rule.free ? { one: leaf, two: leaf, more: fc.record({ one: leaf, two: leaf }, optional) } : {};
  return fc.record({ ...fields, ...free }, optional);
}

const optional = { requiredKeys: [], noNullPrototype: true } satisfies { requiredKeys: never[]; noNullPrototype: boolean };

function fieldOf(rule: MergeRule): fc.Arbitrary<unknown> {
  if (rule.kind === "deep") return blockOf(rule);
  if (rule.kind === "replace") return leaf;
  return fc.oneof(fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 2 }), fc.constant(null));
}

export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}
