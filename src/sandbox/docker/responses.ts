import { z } from "zod";

// The few fields of the Engine API (1.41 and later) that we read. Go writes null for an empty list or map.

const nullableText = z.string().nullish();

export const versionSchema = z.object({ Version: z.string(), ApiVersion: z.string(), MinAPIVersion: nullableText });

export const infoSchema = z.object({ NCPU: z.number(), MemTotal: z.number(), Architecture: nullableText });

export const createdSchema = z.object({ Id: z.string() });

export const imageSchema = z.object({
  Id: z.string(),
  RepoDigests: z.array(z.string()).nullish(),
  Config: z.object({ User: nullableText, WorkingDir: nullableText, Env: z.array(z.string()).nullish() }).nullish(),
});
export type ImageFacts = z.infer<typeof imageSchema>;

export const containerSchema = z.object({
  Id: z.string(),
  State: z.object({
    /** `created`, `running`, `paused`, `restarting`, `removing`, `exited`, `dead`. */
    Status: nullableText,
    Running: z.boolean(),
    OOMKilled: z.boolean(),
    Pid: z.number(),
    ExitCode: z.number(),
    Error: z.string().default(""),
  }),
  HostConfig: z.object({ Memory: z.number().nullish(), NanoCpus: z.number().nullish(), PidsLimit: z.number().nullish() }),
});
export type ContainerFacts = z.infer<typeof containerSchema>;

/** `Pid` is 0 for a command that the runtime could not start. */
export const execStateSchema = z.object({ Running: z.boolean(), ExitCode: z.number().nullish(), Pid: z.number() });

export const topSchema = z.object({ Titles: z.array(z.string()), Processes: z.array(z.array(z.string())).nullish() });

/** What `X-Docker-Container-Path-Stat` holds, base64 of JSON. `mode` is Go's `os.FileMode`. */
export const pathStatSchema = z.object({ name: z.string(), size: z.number(), mode: z.number() });

const labels = z.record(z.string(), z.string()).nullish();
export const labelledSchema = z.object({ Config: z.object({ Labels: labels }) });
export const containerListSchema = z.array(z.object({ Id: z.string(), Labels: labels }));
export const networkListSchema = z.array(z.object({ Id: z.string(), Labels: labels }));
export const volumeListSchema = z.object({ Volumes: z.array(z.object({ Name: z.string(), Labels: labels })).nullish() });

/** One line of the answer to `POST /images/create`. */
export const pullLineSchema = z.object({
  status: z.string().optional(),
  id: z.string().optional(),
  error: z.string().optional(),
});

export const eventSchema = z.object({
  Action: z.string(),
  timeNano: z.number().optional(),
  Actor: z.object({ ID: z.string() }),
});
