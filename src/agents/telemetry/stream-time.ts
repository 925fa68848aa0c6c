/** Milliseconds by which the clock of a stream may be off ours. */
const slack = 2000;

/** When things happened: by the stream's own clock where that can be right, else by their arrival. */
export class StreamTime {
  readonly #startedMs: number;

  constructor(startedAt: Date) {
    this.#startedMs = Number.isNaN(startedAt.getTime()) ? 0 : startedAt.getTime();
  }

  of(at: Date | undefined, arrivedAt: Date): Date {
    const arrivedMs = Number.isNaN(arrivedAt.getTime()) ? this.#startedMs : arrivedAt.getTime();
    const toldMs = at?.getTime() ?? Number.NaN;
    const isPossible = toldMs >= this.#startedMs - slack && toldMs <= arrivedMs + slack;
    return new Date(isPossible ? toldMs : arrivedMs);
  }
}
