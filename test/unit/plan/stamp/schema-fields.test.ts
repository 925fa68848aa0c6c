import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import test from "node:test";
import { z } from "zod";
import { criterionSchema } from "../../../../src/criteria/criterion-schema.ts";
import { makePlan } from "../../../../src/plan/plan.ts";
import type { ResolvedTask } from "../../../../src/plan/resolved-task.ts";
import { agentSchema, knownAgentTypes } from "../../../../src/plan/schema/agent-schema.ts";
import { armsOf } from "../../../../src/plan/schema/schema-keys.ts";
import { taskFieldNames, taskSchema } from "../../../../src/plan/schema/task-schema.ts";
import { settingLeaves } from "../../../../src/plan/stamp/setting-leaves.ts";
import { stampTasks } from "../../../../src/plan/stamp/stamp-tasks.ts";
import {
  criterionFieldsLeftOut,
  settingsLeftOut,
  simulationFieldsLeftOut,
  taskFieldUses,
} from "../../../../src/plan/stamp/stamped-fields.ts";
import { planOptions, taskFolder } from "../task-folder.ts";
import { dockerTask } from "./stamped.ts";

// A new field of the schema is found here: either its change changes the digest, or somebody has decided that it need not.

const base = await plannedTask();

async function plannedTask(): Promise<ResolvedTask> {
  await using folder = await taskFolder({ "t.yaml": dockerTask() });
  const { tasks } = await makePlan(planOptions(folder.path, { unsupported: "note" }));
  const [task] = tasks;
  assert.ok(task);
  return task;
}

/** The task with a value of its definition replaced, whatever the types say. */
function changed(path: readonly string[], value: unknown, from = base): ResolvedTask {
  const task = structuredClone(from.task);
  let at: object = task;
  for (const step of path.slice(0, -1)) {
    const next: unknown = Reflect.get(at, step);
    const inner: object = typeof next === "object" && next !== null ? next : {};
    Reflect.set(at, step, inner);
    at = inner;
  }
  Reflect.set(at, path.at(-1) ?? "", value);
  return { ...from, task };
}

async function digestOf(task: ResolvedTask): Promise<string> {
  return (await stampTasks([task], { cwd: "/nowhere", env: {}, redact: (text) => text })).of(task).digest;
}

function shapes(schema: z.core.$ZodType): z.ZodObject[] {
  return armsOf(schema).filter((arm) => arm instanceof z.ZodObject);
}

/** Something else than any default, of the right kind as far as code that reads it must rely on it. */
function another(schema: z.core.$ZodType, name: string): unknown {
  return armsOf(schema).some((arm) => arm instanceof z.ZodArray) ? [name] : name;
}

test("every field of a task file has a use in the stamp, and one that is left out changes no digest", async () => {
  assert.deepEqual(Object.keys(taskFieldUses).sort(), [...taskFieldNames].sort());
  const digest = await digestOf(base);
  for (const [name, { use }] of Object.entries(taskFieldUses)) {
    if (use === "left out") assert.equal(await digestOf(changed([name], "other")), digest, name);
  }
});

test("the documents name every field of a task file, and all that is left out of the others", async () => {
  const text = await readFile(new URL("../../../../docs/resume.md", import.meta.url), "utf8");
  const names = [
    ...taskFieldNames,
    ...Object.keys(criterionFieldsLeftOut),
    ...Object.keys(simulationFieldsLeftOut),
    ...Object.keys(settingsLeftOut).map((path) => path.replace(/^(?:run_limits|sandbox)\./, "")),
  ];
  assert.deepEqual(
    names.filter((name) => !text.includes(`\`${name}\``)),
    [],
  );
});

for (const name of ["initial_prompt", "expected_commands"]) {
  test(`a change of ${name} changes the digest`, async () => {
    assert.equal(taskFieldUses[name === "initial_prompt" ? name : "expected_commands"].use, "part");
    assert.notEqual(await digestOf(changed([name], "other")), await digestOf(base));
  });
}

for (const name of ["pre_run", "post_run"] as const) {
  const item = armsOf(taskSchema.shape[name]).find((arm) => arm instanceof z.ZodArray)?.element;
  assert.ok(item);
  for (const [field, schema] of shapes(item).flatMap((shape) => Object.entries(shape.shape))) {
    test(`a change of ${name}[].${field} changes the digest`, async () => {
      const [before, after] = ["a", "b"].map((value) => changed([name], [{ [field]: another(schema, value) }]));
      assert.ok(before !== undefined && after !== undefined);
      assert.notEqual(await digestOf(before), await digestOf(after));
      assert.notEqual(await digestOf(before), await digestOf(base));
    });
  }
}

for (const name of ["reference", "checker_context", "simulation"] as const) {
  for (const { path, schema } of leavesOf(taskSchema.shape[name], [])) {
    const field = path.join(".");
    const isLeftOut = name === "simulation" && Object.hasOwn(simulationFieldsLeftOut, field);
    test(`a change of ${name}.${field} ${isLeftOut ? "leaves the digest alone" : "changes the digest"}`, async () => {
      const start = changed([name], name === "simulation" ? { enabled: true, persona: "p", goal: "g" } : {});
      const before = await digestOf(changed([name, ...path], another(schema, "a"), start));
      // A dialog that is not enabled is none.
      const value = field === "enabled" ? false : another(schema, "b");
      const enabled = field === "enabled" ? await digestOf(start) : before;
      const after = await digestOf(changed([name, ...path], value, start));
      assert.equal(after === enabled, isLeftOut);
    });
  }
}

for (const type of knownAgentTypes) {
  const agent = agentSchema.parse(type === "command" ? { type, command: "run" } : { type });
  const start = changed(["agent"], agent);
  for (const { path, schema } of settingsOf(type)) {
    const name = path.join(".");
    const isIdle = type === "none" && name.startsWith("agent.") && name !== "agent.type";
    const isLeftOut = isIdle || Object.hasOwn(settingsLeftOut, name);
    test(`${type}: a change of ${name} ${isLeftOut ? "leaves the digest alone" : "changes the digest"}`, async () => {
      const after = changed(path, another(schema, "other"), start);
      assert.equal((await digestOf(after)) === (await digestOf(start)), isLeftOut);
      if (!isLeftOut) assert.ok(settingLeaves(after.task).some((leaf) => leaf.path === name || name.startsWith(`${leaf.path}.`)));
    });
  }
}

for (const shape of shapes(criterionSchema)) {
  const type = [...armsOf(shape.shape.type ?? z.string())].flatMap((arm) => (arm instanceof z.ZodLiteral ? [...arm.values] : []))[0];
  // The types that were removed take any field to refuse it.
  if (shape.def.catchall instanceof z.ZodUnknown || typeof type !== "string") continue;
  const fields = Object.fromEntries(Object.entries(shape.shape).map(([field, schema]) => [field, another(schema, "a")]));
  for (const [field, schema] of Object.entries(shape.shape)) {
    if (field === "type") continue;
    const isLeftOut = Object.hasOwn(criterionFieldsLeftOut, field);
    test(`criterion ${type}: a change of ${field} ${isLeftOut ? "leaves the digest alone" : "changes the digest"}`, async () => {
      const before = changed(["success_criteria"], [{ ...fields, type }]);
      const after = changed(["success_criteria"], [{ ...fields, type, [field]: another(schema, "b") }]);
      assert.equal((await digestOf(after)) === (await digestOf(before)), isLeftOut);
    });
  }
}

interface Leaf {
  readonly path: readonly string[];
  readonly schema: z.core.$ZodType;
}

function leavesOf(schema: z.core.$ZodType, path: readonly string[], fits: (shape: z.ZodObject) => boolean = () => true): Leaf[] {
  const objects = shapes(schema).filter(fits);
  if (objects.length === 0) return [{ path, schema }];
  return objects.flatMap((object) => Object.entries(object.shape).flatMap(([name, field]) => leavesOf(field, [...path, name])));
}

function settingsOf(type: string): Leaf[] {
  const { agent, run_limits, sandbox } = taskSchema.shape;
  const isOfType = ({ shape }: z.ZodObject): boolean =>
    armsOf(shape.type ?? z.string()).some((arm) => arm instanceof z.ZodLiteral && arm.values.has(type));
  return [...leavesOf(agent, ["agent"], isOfType), ...leavesOf(run_limits, ["run_limits"]), ...leavesOf(sandbox, ["sandbox"])];
}
