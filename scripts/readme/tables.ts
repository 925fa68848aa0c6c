import { parse } from "yaml";
import { z } from "zod";
import { markdownTable } from "./markdown-table.ts";

const actionSchema = z.looseObject({
  inputs: z.record(z.string(), z.looseObject({ description: z.string(), required: z.boolean(), default: z.string().optional() })),
  outputs: z.record(z.string(), z.looseObject({ description: z.string() })),
});

/** Documents that have the tables of inputs and outputs. */
export const documentsWithTables = ["README.md", "docs/action.md"] as const;

/** The tables of a README that are made of `action.yml`, by the name of their markers. */
export function actionTables(actionYaml: string): Readonly<Record<string, string>> {
  const { inputs, outputs } = actionSchema.parse(parse(actionYaml));
  const inputRows = Object.entries(inputs).map(([name, input]) => {
    const standard = input.required ? "required" : (input.default ?? "") === "" ? "" : `\`${input.default}\``;
    return [`\`${name}\``, standard, input.description];
  });
  const outputRows = Object.entries(outputs).map(([name, output]) => [`\`${name}\``, output.description]);
  return { inputs: markdownTable(["input", "default", "meaning"], inputRows), outputs: markdownTable(["output", "meaning"], outputRows) };
}

/**
 * The document with each table between its `<!-- name -->` and `<!-- /name -->`.
 * @throws Error when a marker is missing
 */
export function withTables(document: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((text, [name, content]) => {
    const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
    const [start, end] = [text.indexOf(open), text.indexOf(close)];
    if (start < 0 || end < start) throw new Error(`the document has no ${open} … ${close}`);
    return `${text.slice(0, start + open.length)}\n${content}\n${text.slice(end)}`;
  }, document);
}
