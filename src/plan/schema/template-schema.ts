import { z } from "zod";
import { isInsidePath, textOrNull } from "./field-types.ts";

// formats.md 1.4, template sources. `type` is required.

const inside = z.string().refine(isInsidePath, { message: "must be a relative path without '..'" });

const templateDir = z.strictObject({
  type: z.literal("template_dir"),
  path: z.string(),
  mount_point: inside.default("."),
  include_patterns: z.array(inside.transform((pattern) => pattern.replace(/^(?:\.\/)+/, ""))).default(() => []),
});

const starterFiles = z.strictObject({
  type: z.literal("starter_files"),
  files: z.array(z.strictObject({ path: inside, content: z.string() })),
});

const repo = z.strictObject({ type: z.literal("repo"), url: z.string(), commit: textOrNull });

export const templateSourceSchema = z.discriminatedUnion("type", [templateDir, starterFiles, repo]);

/** Template sources in the order in which they are applied; a `repo` is the first or absent. */
export const templateSourcesSchema = z.array(templateSourceSchema).superRefine((sources, context) => {
  sources.forEach((source, index) => {
    if (source.type !== "repo" || index === 0) return;
    const message = sources[0]?.type === "repo" ? "at most one template source may be a repo" : "a repo must be the first template source";
    context.addIssue({ code: "custom", path: [index], message });
  });
});

export type TemplateSource = z.infer<typeof templateSourceSchema>;
