import { allowedSdkOptions } from "../../src/plan/schema/sdk-options.ts";
import { conditional, type JsonSchema, propertiesOf } from "./json-schema.ts";

const notBlank = { pattern: "\\S" };
/** Relative and without `..`, also with the separators of Windows. */
const inside = { pattern: String.raw`^(?!/)(?![A-Za-z]:)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|$))[\s\S]` };

/**
 * Rules of the loader that zod states as functions, so that they are not in the schema that it makes. Only those of one
 * field, or of a field that is missing: others would give an editor messages that nobody understands. By path, the ends of
 * kinds left out.
 */
const rules: Readonly<Record<string, JsonSchema>> = {
  task_id: notBlank,
  "agent.command": notBlank,
  "agent<claude-code>.sdk_options": { propertyNames: { enum: allowedSdkOptions } },
  "sandbox.docker.image": notBlank,
  "sandbox.docker.working_dir": { pattern: String.raw`^(?:auto|/+(?!(?:\./+)*(?:work|evalbatch)(?:/|$))[\s\S]*[^/][\s\S]*)$` },
  "sandbox.template_sources[].mount_point": inside,
  "sandbox.template_sources[].include_patterns[]": inside,
  "sandbox.template_sources[].files[].path": inside,
  "sandbox.mock_path_dirs[]": inside,
  "reference.directory": notBlank,
  reference: { minProperties: 1 },
  dataset: conditional({ not: { required: ["paths"] } }, { required: ["rows"] }),
  "simulation.persona": notBlank,
  "simulation.goal": notBlank,
};

/** Neither an agent of type none nor a dialog: such a task has a prompt. */
const needsPrompt = conditional(
  {
    not: {
      anyOf: [
        { required: ["agent"], properties: { agent: { required: ["type"], properties: { type: { const: "none" } } } } },
        { required: ["simulation"], properties: { simulation: { required: ["enabled"] } } },
        { required: ["initial_prompt_file"] },
      ],
    },
  },
  { required: ["initial_prompt"] },
);

/** `schema` with the loader's further rules, and with the other names of fields. */
export function withEditorRules(schema: JsonSchema, path: string): JsonSchema {
  const setting = path.replace(/^(?:defaults|variants\[\])\./, "").replace(/^template_sources/, "sandbox.template_sources");
  const rule = rules[setting] ?? rules[setting.replace(/<[^>]*>/g, "")];
  const ruled = { ...schema, ...rule };
  return /^agent(?:<[^>]*>)?$/.test(setting) ? withAliases(ruled) : ruled;
}

/** What a task as a whole has to have. */
export function withTaskRules(schema: JsonSchema): JsonSchema {
  return { ...schema, ...needsPrompt };
}

function withAliases(schema: JsonSchema): JsonSchema {
  const fields = propertiesOf(schema);
  const { ignore_patterns } = fields;
  if (ignore_patterns === undefined) return schema;
  return { ...schema, properties: { ...fields, additional_ignore_patterns: { ...ignore_patterns } } };
}
