import { z } from "zod";
import { InternalError } from "../../errors.ts";
import { once } from "../../python/once.ts";
import { layering } from "../schema/layering.ts";
import { armsOf } from "../schema/schema-keys.ts";
import { taskSchema } from "../schema/task-schema.ts";

type Schema = z.core.$ZodType;

/** How a field merges: read off its schema, and for the exceptions off `layering`. */
export type MergeRule = ReplaceRule | AppendRule | DeepRule;

interface ReplaceRule {
  readonly kind: "replace";
}

export interface AppendRule {
  readonly kind: "append";
  readonly order: "low-first" | "high-first" | "task-first";
}

export interface DeepRule {
  readonly kind: "deep";
  /** Of a union all alternatives' fields. */
  readonly fields: ReadonlyMap<string, MergeRule>;
  /** May be a mapping with any keys, which all merge like the mapping itself. */
  readonly free: boolean;
  /** Fields that clear another one, and which. */
  readonly rivals: ReadonlyMap<string, string>;
}

export interface SettingsRules {
  readonly agent: DeepRule;
  readonly run_limits: DeepRule;
  readonly sandbox: DeepRule;
  readonly simulation: DeepRule;
  readonly pre_run: AppendRule;
  readonly post_run: AppendRule;
}

const replace: ReplaceRule = { kind: "replace" };

/** Inside a free mapping nothing is declared: mappings merge, all else replaces. */
const freeRule: DeepRule = { kind: "deep", fields: new Map(), free: true, rivals: new Map() };

/** The rules of everything that layers can set. */
export const settingsRules = once((): SettingsRules => {
  const { agent, run_limits, sandbox, simulation, pre_run, post_run } = taskSchema.shape;
  return {
    agent: deepRule(agent),
    run_limits: deepRule(run_limits),
    sandbox: deepRule(sandbox),
    simulation: deepRule(simulation),
    pre_run: appendRule(pre_run),
    post_run: appendRule(post_run),
  };
});

/** The rule of the field `name` of a mapping. */
export function fieldRule(rule: DeepRule, name: string): MergeRule {
  return rule.fields.get(name) ?? freeRule;
}

function ruleOf(schema: Schema): MergeRule {
  const strategy = layering.get(schema);
  if (strategy?.merge === "append") return { kind: "append", order: strategy.order };
  return armsOf(schema).some((arm) => arm instanceof z.ZodObject || arm instanceof z.ZodRecord) ? deepRule(schema) : replace;
}

function deepRule(schema: Schema): DeepRule {
  const fields = new Map<string, MergeRule>();
  const rivals = new Map<string, string>();
  const arms = armsOf(schema);
  for (const arm of arms) {
    if (!(arm instanceof z.ZodObject)) continue;
    for (const [name, field] of Object.entries(arm.shape)) {
      if (!fields.has(name)) fields.set(name, ruleOf(field));
      const strategy = layering.get(field);
      if (strategy?.merge === "exclusive") rivals.set(name, strategy.rival);
    }
  }
  return { kind: "deep", fields, free: arms.some((arm) => arm instanceof z.ZodRecord), rivals };
}

function appendRule(schema: Schema): AppendRule {
  const rule = ruleOf(schema);
  if (rule.kind !== "append") throw new InternalError("a list of commands is not declared to append");
  return rule;
}
