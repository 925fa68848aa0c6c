import { isObject } from "../../../src/results/any-object.ts";
import type { AbstractCall } from "./script.ts";

/** A tool that a request offers; `schema` is the JSON schema of its arguments. */
export interface OfferedTool {
  readonly name: string;
  readonly schema: unknown;
}

/** A call of an offered tool. */
export interface NativeCall {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const writers = ["Write", "write_file", "write", "create", "create_file"];
const shells = ["Bash", "bash", "exec_command", "shell_command", "run_shell_command", "shell", "local_shell"];

const pathKeys = ["file_path", "filePath", "absolute_path", "path"];
const contentKeys = ["content", "file_text", "contents", "text"];
const commandKeys = ["command", "cmd"];

const endMark = "END_OF_FILE_OF_THE_SCRIPT";

/** Puts a call of the script into the tools that are there; one that cannot write files writes them through the shell. */
export function mapCall(call: AbstractCall, tools: readonly OfferedTool[], workDir: string): NativeCall {
  if (call.tool === "native") return { name: call.name, input: call.input };
  const shell = find(tools, shells);
  if (call.tool === "shell") {
    if (shell === undefined) throw new Error(`no shell among the tools ${namesOf(tools)}`);
    return fill(shell, [[commandKeys, call.command]]);
  }
  const path = `${workDir}/${call.path}`;
  const writer = find(tools, writers);
  if (writer !== undefined) {
    return fill(writer, [
      [pathKeys, path],
      [contentKeys, call.content],
    ]);
  }
  if (shell === undefined) throw new Error(`nothing that writes among the tools ${namesOf(tools)}`);
  return fill(shell, [[commandKeys, `cat > '${path}' <<'${endMark}'\n${call.content}${endMark}`]]);
}

const namesOf = (tools: readonly OfferedTool[]) => tools.map(({ name }) => name).join(", ");

function find(tools: readonly OfferedTool[], names: readonly string[]): OfferedTool | undefined {
  return names.map((name) => tools.find((tool) => tool.name === name)).find((tool) => tool !== undefined);
}

/** Arguments by the tool's own schema: the wanted ones under its names, and something of the right type for what else it requires. */
function fill(tool: OfferedTool, wanted: readonly (readonly [keys: readonly string[], value: string])[]): NativeCall {
  const schema = isObject(tool.schema) ? tool.schema : {};
  const properties = isObject(schema.properties) ? schema.properties : {};
  const input: Record<string, unknown> = {};
  for (const [keys, value] of wanted) {
    const key = keys.find((name) => Object.hasOwn(properties, name)) ?? keys[0];
    if (key !== undefined) input[key] = typeOf(properties[key]) === "array" ? ["bash", "-lc", value] : value;
  }
  for (const key of Array.isArray(schema.required) ? schema.required : []) {
    if (typeof key === "string" && !Object.hasOwn(input, key)) input[key] = placeholder(properties[key]);
  }
  return { name: tool.name, input };
}

function typeOf(property: unknown): string {
  const type = isObject(property) ? property.type : undefined;
  const first: unknown = Array.isArray(type) ? type[0] : type;
  return typeof first === "string" ? first.toLowerCase() : "string";
}

function placeholder(property: unknown): unknown {
  if (isObject(property) && Array.isArray(property.enum)) return property.enum[0];
  switch (typeOf(property)) {
    case "boolean":
      return false;
    case "number":
    case "integer":
      return 10;
    case "array":
      return [];
    case "object":
      return {};
    default:
      return "as the script says";
  }
}
