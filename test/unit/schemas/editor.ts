import { Ajv, type ValidateFunction } from "ajv";
import { parse } from "yaml";
import type { JsonSchema } from "../../../scripts/schemas/json-schema.ts";
import { experimentFileSchema, taskFileSchema } from "../../../scripts/schemas/publish.ts";

/** What an editor marks: the place, and what is wrong there. */
export type Mark = string;

/** Keywords that only editors know. */
const editorKeywords = ["enumDescriptions", "markdownDescription", "markdownEnumDescriptions", "patternErrorMessage"];

function compiled(schema: JsonSchema): ValidateFunction {
  return new Ajv({ allErrors: true, verbose: true, strict: true, allowUnionTypes: true, strictRequired: false, strictTypes: false })
    .addVocabulary(editorKeywords)
    .compile(schema);
}

const validators = { task: compiled(taskFileSchema().schema), experiment: compiled(experimentFileSchema().schema) };

export type Kind = keyof typeof validators;

/** The marks of an editor on a value. What only says that some branch does not hold is left out, as editors do. */
export function marksOn(kind: Kind, value: unknown): Mark[] {
  const validate = validators[kind];
  validate(value);
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath, message, params, keyword, parentSchema }) => {
      if (keyword === "pattern" && parentSchema?.patternErrorMessage !== undefined)
        return `${instancePath}: ${String(parentSchema.patternErrorMessage)}`;
      const name: unknown = params.additionalProperty ?? params.missingProperty ?? params.propertyName;
      return `${instancePath}: ${message}${name === undefined ? "" : ` (${String(name)})`}`;
    });
}

/** The same on a text, which an editor reads as YAML 1.2. */
export function marksIn(kind: Kind, yaml: string): Mark[] {
  return marksOn(kind, parse(yaml, { uniqueKeys: false, merge: true }));
}
