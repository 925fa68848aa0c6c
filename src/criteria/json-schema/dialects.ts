import { Ajv, type Options } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import ajvDraft04 from "ajv-draft-04";
import { isObject, type JsonValue } from "../json/value.ts";
import { pythonPatternEngine } from "./python-pattern.ts";

/** Like Python's `jsonschema`: unknown keywords are ignored, formats are notes. */
const options: Options = {
  strict: false,
  allErrors: true,
  verbose: true,
  validateFormats: false,
  logger: false,
  code: { regExp: pythonPatternEngine },
};
/** Until draft 7 nothing beside a `$ref` counts. */
const olderOptions: Options = { ...options, ignoreKeywordsWithRef: true };

const draft06 = "http://json-schema.org/draft-06/schema";

/** Draft 7 without the keywords that draft 6 does not know. */
function ajvDraft06(): Ajv {
  const ajv = new Ajv({ ...olderOptions, defaultMeta: "http://json-schema.org/draft-07/schema" });
  for (const keyword of ["if", "then", "else"]) ajv.removeKeyword(keyword);
  return ajv;
}

/** The drafts that can be told by `$schema`; anything else is the newest. */
const drafts: readonly (readonly [uri: string, make: () => Ajv])[] = [
  ["http://json-schema.org/draft-04/schema", () => new ajvDraft04.default(olderOptions)],
  [draft06, ajvDraft06],
  ["http://json-schema.org/draft-07/schema", () => new Ajv(olderOptions)],
  ["https://json-schema.org/draft/2019-09/schema", () => new Ajv2019(options)],
  ["https://json-schema.org/draft/2020-12/schema", () => new Ajv2020(options)],
];
const draft03 = "http://json-schema.org/draft-03/schema";

export type Dialect =
  | { readonly kind: "known"; readonly ajv: Ajv; readonly schema: JsonValue }
  | { readonly kind: "not supported"; readonly uri: string };

/** The validator for a schema's dialect, and the schema without an `$schema` that nobody knows. */
export function dialectOf(schema: JsonValue): Dialect {
  const uri = isObject(schema) && typeof schema.$schema === "string" ? schema.$schema.replace(/#$/, "") : undefined;
  if (uri === draft03) return { kind: "not supported", uri };
  const draft = drafts.find(([known]) => known === uri);
  const ajv = draft === undefined ? new Ajv2020(options) : draft[1]();
  const isKnown = uri !== undefined && uri !== draft06 && draft !== undefined;
  if (isKnown || !isObject(schema)) return { kind: "known", ajv, schema };
  const { $schema: _unknown, ...rest } = schema;
  return { kind: "known", ajv, schema: rest };
}
