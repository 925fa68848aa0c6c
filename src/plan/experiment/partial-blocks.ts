import { z } from "zod";
import { agentSchema } from "../schema/agent-schema.ts";
import { allowedWords, objectsAt } from "../schema/schema-keys.ts";
import { simulationSchema } from "../schema/suite-schema.ts";

type Schema = z.core.$ZodType;

/**
 * An `agent` block of an experiment: any part of an agent's settings. The type may come from another layer, so the fields
 * of all types are allowed; which of them go together is seen when the layers are merged.
 */
export const partialAgentSchema = z.strictObject(agentFields());

/** A `simulation` block of an experiment: what is required of a whole one may come from another layer. */
export const partialSimulationSchema = z.strictObject(
  optionalFields(objectsAt(simulationSchema, [], {}).flatMap(({ shape }) => Object.entries(shape))),
);

function agentFields(): Record<string, z.ZodType> {
  const arms = objectsAt(agentSchema, [], {});
  const names = new Set(arms.flatMap(({ shape }) => Object.keys(shape)));
  const fields = [...names].map((name): [string, Schema] => {
    const schemas = [...new Set(arms.flatMap(({ shape }) => (shape[name] === undefined ? [] : [shape[name]])))];
    return [name, name === "type" ? z.enum(wordsOf(name)).nullable() : looseField(name, schemas)];
  });
  return optionalFields(fields);
}

/** A field that several types have, each with rules of its own: what any of them takes. */
function looseField(name: string, schemas: readonly Schema[]): Schema {
  const [first, ...others] = schemas;
  if (first !== undefined && others.length === 0) return first;
  const words = wordsOf(name);
  return words.length > 0 ? z.enum(words) : z.union(schemas);
}

function wordsOf(name: string): string[] {
  return allowedWords(agentSchema, [], {}, name);
}

function optionalFields(fields: readonly (readonly [string, Schema])[]): Record<string, z.ZodType> {
  return Object.fromEntries(fields.map(([name, schema]) => [name, z.optional(schema)]));
}
