import type { Component } from "./attempt.ts";

/** The parts of an attempt, in order. */
export type Stage = "image" | "start" | "setup" | "agent" | "grading" | "teardown";

/** As `error_details` names them. */
export const componentOf = {
  image: "sandbox.image",
  start: "orchestrator.setup",
  setup: "orchestrator.setup",
  agent: "orchestrator.iteration_1",
  grading: "orchestrator.grading",
  teardown: "orchestrator.grading",
} as const satisfies Record<Stage, Component>;
