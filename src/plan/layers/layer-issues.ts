import type { Issue } from "../../errors.ts";
import { quote } from "../found-text.ts";
import { fieldText, issueAt, type Problem } from "../issues.ts";
import { agentTypesWith } from "../overrides/setting-roots.ts";
import { isSimulated } from "../rules/read-fields.ts";
import { knownAgentTypes } from "../schema/agent-schema.ts";
import { childOf } from "../schema/schema-keys.ts";
import { filePath } from "./file-path.ts";
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
    for (const problem of problems) this.found.push(this.issueOf(root, problem));
  }

  addNoType(): void {
    const hint = `name one of ${knownAgentTypes.join(", ")}`;
    this.add("agent", [{ severity: "error", code: "no-agent-type", path: ["type"], message: "the agent has no type", hint }]);
  }

  addTooManyRepeats(layer: Layer, count: number, most: number): void {
    const message = `found ${count} repeats, expected at most ${most}`;
    this.found.push(this.#issueAt(layer, ["repeats"], { severity: "error", code: "too-large", path: [], message }));
  }

  /** A problem with a path below `root`, at the place of the highest layer that sets what is wrong. */
  issueOf(root: Root, problem: Problem): Issue {
    const origin = originOf(this.#layers, root, problem.path);
    if (origin === undefined) return issueAt(this.#input.loaded.parsed, { ...problem, path: [root, ...problem.path] });
    const clash = root === "agent" ? this.#typeClash(problem, origin) : undefined;
    return this.#issueAt(origin.layer, [root, ...origin.path], clash ?? problem);
  }

  /**
   * A rule about agent, prompt and dialog that the task file keeps by itself, at the place of the layer that ends the dialog
   * or chose another type of agent; undefined where none did.
   */
  ofOtherLayer(problem: Problem): Issue | undefined {
    return this.#ofEndedDialog(problem) ?? this.#ofAgentType(problem);
  }

  #ofEndedDialog(problem: Problem): Issue | undefined {
    const ender = originOf(this.#layers, "simulation", ["enabled"])?.layer;
    if (problem.code !== "missing-field" || ender === undefined || ender.source === "task" || !isSimulated(this.#input.loaded.fields))
      return undefined;
    const message = "without its dialog the task needs a prompt, and it has none";
    return this.#issueAt(ender, ["simulation", "enabled"], { ...problem, message, hint: "give the variant a prompt of its own" });
  }

  #ofAgentType(problem: Problem): Issue | undefined {
    const chooser = originOf(this.#layers, "agent", ["type"])?.layer;
    const isBuiltIn = chooser?.block !== undefined && (chooser.source === "default" || this.#input.experiment.parsed === undefined);
    if (chooser === undefined || chooser.source === "task" || isBuiltIn) return undefined;
    const type = quote(String(childOf(chooser.agent, "type")));
    const message =
      problem.code === "missing-field" ? `with agent type ${type} a task needs a prompt, and this one has none` : problem.message;
    const hint = "leave the type to the tasks, or choose tasks that go with it";
    return this.#issueAt(chooser, ["agent", "type"], { ...problem, message, hint });
  }

  /** A field that other types of agents have: who set it and who chose the type are seldom the same layer. */
  #typeClash(problem: Problem, origin: Origin): Problem | undefined {
    const [field, ...rest] = problem.path;
    if (problem.code !== "unknown-key" || rest.length > 0) return undefined;
    const types = agentTypesWith(String(field));
    const chooser = originOf(this.#layers, "agent", ["type"]);
    const type = childOf(chooser?.layer.agent, "type");
    if (types.length === 0 || chooser === undefined || typeof type !== "string") return undefined;
    const setter = this.#name(origin.layer, ["agent", String(field)]);
    const chosenBy = this.#name(chooser.layer, ["agent", "type"]);
    const message = `${quote(String(field))} is no field of agent type ${quote(type)}: the field is set by ${setter}, the type by ${chosenBy}`;
    return { ...problem, code: "not-of-agent-type", message, hint: `agents that have it: ${types.join(", ")}` };
  }

  /** @param path where the layer has it, with the root */
  #issueAt(layer: Layer, path: Path, problem: Problem): Issue {
    const { loaded, experiment } = this.#input;
    if (layer.source === "task") return issueAt(loaded.parsed, { ...problem, path });
    if (layer.block !== undefined && experiment.parsed !== undefined) {
      const issue = issueAt(experiment.parsed, { ...problem, path: filePath(layer.block.path, path, experiment.parsed.value) });
      // A warning is about the experiment alone: the same for all tasks, so that it need not be told for each.
      return problem.severity === "error" ? { ...issue, mergedWith: loaded.file.name } : issue;
    }
    const isNamed = problem.code === "not-of-agent-type";
    return {
      severity: problem.severity,
      code: problem.code,
      message: isNamed ? problem.message : `${problem.message}; it is set by ${this.#name(layer, path)}`,
      file: loaded.file.name,
      field: fieldText(path),
      hint: problem.hint,
    };
  }

  #name(layer: Layer, path: Path): string {
    if (layer.source !== "cli") return layer.name;
    const list = path.findIndex((step) => typeof step === "number");
    return layer.detailOf?.((list < 0 ? path : path.slice(0, list)).join(".")) ?? layer.name;
  }
}
