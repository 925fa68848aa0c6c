export interface SignalSource {
  on(event: "SIGINT" | "SIGTERM" | "SIGHUP", listener: (name: NodeJS.Signals) => void): unknown;
  off(event: "SIGINT" | "SIGTERM" | "SIGHUP", listener: (name: NodeJS.Signals) => void): unknown;
}

export interface StopOptions {
  /** Called once, with the first signal. */
  readonly onStop: (signal: NodeJS.Signals) => void;
  /** Must end the process at once. */
  readonly exit: (code: number) => void;
  readonly monotonicMs: () => number;
}

const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** `npm run` and some terminals deliver one Ctrl-C twice. */
const repeatMs = 1000;
/** GitHub kills the step 7.5 s after its SIGINT; whatever hangs then must not cost the exit code. */
export const hardExitMs = 5500;

/**
 * Turns the first SIGINT, SIGTERM or SIGHUP into an abort and the second into an exit. A stop that hangs ends after 5.5 s.
 * @returns the signal to hand on, and the removal of the handlers
 */
export function stopOnSignals(source: SignalSource, options: StopOptions): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  let firstMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (name: NodeJS.Signals): void => {
    const now = options.monotonicMs();
    if (firstMs === undefined) {
      firstMs = now;
      options.onStop(name);
      controller.abort(new Error(`stopped by ${name}`));
      timer = setTimeout(() => options.exit(130), hardExitMs);
      timer.unref();
    } else if (now - firstMs > repeatMs) options.exit(130);
  };
  for (const name of names) source.on(name, onSignal);
  return {
    signal: controller.signal,
    // The hard exit stays armed: what comes after the run (reports, flushing) must end in time as well.
    release: () => {
      for (const name of names) source.off(name, onSignal);
    },
  };
}
