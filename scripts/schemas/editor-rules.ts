import { allowedSdkOptions } from "../../src/plan/schema/sdk-options.ts";
import { textForm } from "./from-zod.ts";
import { conditional, type JsonSchema, propertiesOf } from "./json-schema.ts";

const notBlank = textForm("\\S", "it must not be blank");
/** Relative and without `..`, also with the separators of Windows. */
const inside = textForm(
  String.raw`^(?!/)(?![A-Za-z]:)(?!(?:[\s\S]*[/\\])?\.\.(?:[/\\]|$))[\s\S]`,
  "a relative path without '..' is expected",
);
const workingDir = textForm(
  String.raw`^(?:auto|/+(?!(?:\./+)*(?:work|evalbatch)(?:/|$))[\s\S]*[^/][\s\S]*)$`,
  "'auto' is expected, or an absolute path other than '/', and not '/work' or '/evalbatch' or below them",
);

/** What an editor says where a value does not fit a pattern that the loader's schema has. */
const patternMessages: Readonly<Record<string, string>> = {
  "tags[]": "a tag is lower-case words joined by '-', with at most one 'key:' in front, such as smoke or area:files",
  "sandbox.record_cli[].tool": "a tool is a plain name of letters, digits, '.', '_', '+' and '-'",
  "sandbox.docker.network": "'bridge', 'none' or the name of a network that the engine has is expected",
  experiment_id: "an experiment_id is lower-case words and digits joined by '-'",
};

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
  "sandbox.docker.working_dir": workingDir,
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
  const message = patternMessages[setting];
  const ruled = { ...schema, ...rule, ...(message === undefined ? {} : { patternErrorMessage: message }) };
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
