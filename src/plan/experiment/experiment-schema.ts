import { z } from "zod";

// formats.md 3.1.

const prefix = z.strictObject({ type: z.literal("prefix"), content: z.string(), separator: z.string().default("\n\n") });
const suffix = z.strictObject({ type: z.literal("suffix"), content: z.string(), separator: z.string().default("\n\n") });

export const promptMutationSchema = z.discriminatedUnion("type", [prefix, suffix]);

export type PromptMutation = z.infer<typeof promptMutationSchema>;
