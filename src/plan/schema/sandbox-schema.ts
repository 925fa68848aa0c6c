import { z } from "zod";
import { laxFloat, laxInt } from "../../schema/lax.ts";
import { dockerSchema } from "./docker-schema.ts";
import { ignorePatterns, isInsidePath, textList } from "./field-types.ts";
import { layering } from "./layering.ts";
import { recordedCliSchema } from "./recorded-cli-schema.ts";
import { templateSourcesSchema } from "./template-schema.ts";

// formats.md 1.4.

const packages = z.strictObject({ env_packages: textList.default(() => []) });

const limits = z.strictObject({
  timeout: laxInt(z.int().positive()).default(300),
  max_memory_mb: laxInt(z.int().min(0)).nullable().default(null),
  max_cpus: laxFloat(z.number().positive()).nullable().default(null),
  max_pids: laxInt(z.int().positive()).nullable().default(null),
  max_disk_mb: laxInt().nullable().default(null),
});

export const sandboxSchema = z.strictObject({
  driver: z.enum(["tempdir", "docker"]).default("tempdir"),
  docker: dockerSchema.prefault(() => ({})),
  // On by default: a virtual environment is made even where nothing is configured; `null` switches it off.
  python: packages.nullable().prefault(() => ({})),
  node: packages.nullable().default(null),
  limits: limits.prefault(() => ({})),
  template_sources: templateSourcesSchema.nullable().default(null).register(layering, { merge: "append", order: "task-first" }),
  mock_path_dirs: z
    .array(z.string().refine(isInsidePath, { message: "must be a path inside of the sandbox: relative, without '..'" }))
    .nullable()
    .default(null),
  ignore_patterns: ignorePatterns,
  record_cli: z.array(recordedCliSchema).nullable().optional(),
});

export type SandboxConfig = z.infer<typeof sandboxSchema>;
export type ResourceLimits = SandboxConfig["limits"];
