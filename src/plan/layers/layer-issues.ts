import type { Issue } from "../../errors.ts";
import { quote } from "../found-text.ts";
import { fieldText, issueAt, type Problem } from "../issues.ts";
import { agentTypesWith } from "../overrides/setting-roots.ts";
import { knownAgentTypes } from "../schema/agent-schema.ts";
import { childOf } from "../schema/schema-keys.ts";
import type { Layer, LayerInput, Root } from "./layer.ts";
import { type Origin, originOf } from "./origin.ts";

type Path = readonly PropertyKey[];

/** What is wrong with the merged settings, each at the place of the layer that it came from. */
export class LayerIssues {
  readonly found: Issue[] = [];
  readonly #input: LayerInput;
  readonly #layers: readonly Layer[];

  constructor(input: LayerInput, layers: readonly Layer[]) {
    this.#input = input;
    this.#layers = layers;
  }

  /** `problems` have paths below `root`. */
  add(root: Root, problems: readonly Problem[]): void {
    for (const problem of problems) {
      const origin = originOf(this.#layers, root, problem.path);
      this.#note(origin, root, (root === "agent" ? this.#typeClash(problem, origin) : undefined) ?? problem);
    }
  }

  /** Also where all layers name only fields that every type has. */
  addNoType(): void {
    const origin = originOf(this.#layers, "agent", ["type"]);
    const hint = `name one of ${knownAgentTypes.join(", ")}`;
    this.#note(origin, "agent", { severity: "error", code: "no-agent-type", path: ["type"], message: "the agent has no type", hint });
  }

  addTooManyRepeats(layer: Layer, count: number, most: number): void {
    const message = `found ${count} repeats, expected at most ${most}`;
    this.#place(layer, ["repeats"], { severity: "error", code: "too-large", path: ["repeats"], message });
  }

  /** A field that other types of agents have: who set it and who chose the type are seldom the same layer. */
  #typeClash(problem: Problem, origin: Origin | undefined): Problem | undefined {
    const [field, ...rest] = problem.path;
    if (problem.code !== "unknown-key" || rest.length > 0 || origin === undefined) return undefined;
    const types = agentTypesWith(String(field));
    const chooser = originOf(this.#layers, "agent", ["type"]);
    const type = childOf(chooser?.layer.agent, "type");
    if (types.length === 0 || chooser === undefined || typeof type !== "string") return undefined;
    return {
      ...problem,
      code: "not-of-agent-type",
      message: `${quote(String(field))} is no field of agent type ${quote(type)}: the field is set by ${this.#name(origin.layer, ["agent", String(field)])}, the type by ${this.#name(chooser.layer, ["agent", "type"])}`,
      hint: `agents that have it: ${types.join(", ")}`,
    };
  }

  #note(origin: Origin | undefined, root: Root, problem: Problem): void {
    if (origin === undefined) this.found.push(issueAt(this.#input.loaded.parsed, { ...problem, path: [root, ...problem.path] }));
    else this.#place(origin.layer, [root, ...origin.path], problem.path.length > 0 ? problem : { ...problem, path: [root] });
  }

  /** @param path where the layer has it, with the root */
  #place(layer: Layer, path: Path, problem: Problem): void {
    const { loaded, experiment } = this.#input;
    if (layer.source === "task") {
      this.found.push(issueAt(loaded.parsed, { ...problem, path }));
      return;
    }
    const isNamed = problem.code === "not-of-agent-type";
    if (layer.block !== undefined && experiment.parsed !== undefined) {
      const place = filePath(layer.block.path, path, experiment.parsed.value);
      this.found.push(
        issueAt(experiment.parsed, { ...problem, path: place, message: `${problem.message} (in ${quote(loaded.file.name)})` }),
      );
      return;
    }
    this.found.push({
      severity: problem.severity,
      code: problem.code,
      message: isNamed ? problem.message : `${problem.message}; it is set by ${this.#name(layer, path)}`,
      file: loaded.file.name,
      field: fieldText(path),
      hint: problem.hint,
    });
  }

  #name(layer: Layer, path: Path): string {
    if (layer.source !== "cli") return layer.name;
    const list = path.findIndex((step) => typeof step === "number");
    return layer.detailOf?.((list < 0 ? path : path.slice(0, list)).join(".")) ?? layer.name;
  }
}

/** Where a block's field stands in an experiment file: `driver` and `template_sources` are beside `sandbox` there. */
function filePath(block: Path, path: Path, file: unknown): Path {
  const [root, name] = path;
  const lifted = [...block, ...path.slice(1)];
  const isBeside = root === "sandbox" && (name === "template_sources" || (name === "driver" && isThere(file, lifted)));
  return isBeside ? lifted : [...block, ...path];
}

function isThere(value: unknown, path: Path): boolean {
  const found = path.reduce<unknown>((at, step) => childOf(at, step), value);
  return found !== undefined && found !== null;
}
