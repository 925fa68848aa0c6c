import { z } from "zod";

/**
 * How the values that several layers give a field become one (formats.md 3.2). A field without an entry merges the usual
 * way: mappings key by key, and of everything else the highest layer's value holds.
 */
export type Strategy =
  /** The layers' lists follow each other; `task-first`: the task's comes before those of lower layers. */
  | { readonly merge: "append"; readonly order: "low-first" | "high-first" | "task-first" }
  /** Setting the field clears its rival. */
  | { readonly merge: "exclusive"; readonly rival: string };

/** Filled beside the fields themselves: `.register(layering, …)`. Not part of the JSON Schema that zod makes. */
export const layering = z.registry<Strategy>();
