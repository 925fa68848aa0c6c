/**
 * Work that many wait for and that is done once: pulls, builds. It is aborted when everybody who waited has gone; then, and after a
 * failure that `forget` names, the next one starts it anew. Other outcomes stay.
 */
export class SharedWork<Result> {
  readonly #running = new Map<string, { readonly result: Promise<Result>; readonly controller: AbortController; waiting: number }>();
  readonly #forget: (error: unknown) => boolean;

  constructor(forget: (error: unknown) => boolean) {
    this.#forget = forget;
  }

  /** @throws what the work throws, or the signal's reason */
  async get(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const known = this.#running.get(key);
    const entry = known ?? this.#start(key, work);
    entry.waiting += 1;
    const gone = Promise.withResolvers<never>();
    const onAbort = () => gone.reject(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([entry.result, gone.promise]);
    } finally {
      signal.removeEventListener("abort", onAbort);
      entry.waiting -= 1;
      if (entry.waiting === 0 && signal.aborted) {
        // No effect on work that is done.
        entry.controller.abort(signal.reason);
      }
    }
  }

  #start(key: string, work: (signal: AbortSignal) => Promise<Result>) {
    const controller = new AbortController();
    const entry = { result: work(controller.signal), controller, waiting: 0 };
    this.#running.set(key, entry);
    entry.result.catch((error: unknown) => {
      if (controller.signal.aborted || this.#forget(error)) this.#running.delete(key);
    });
    return entry;
  }
}
