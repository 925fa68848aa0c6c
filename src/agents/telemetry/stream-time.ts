/** Milliseconds by which the clock of a stream may be off ours. */
const slack = 2000;

/** When things happened: by the stream's own clock where that can be right, else by their arrival; never back in time. */
export class StreamTime {
  readonly #startedAt: number;
  #latest: number;

  constructor(startedAt: Date) {
    this.#startedAt = Number.isNaN(startedAt.getTime()) ? 0 : startedAt.getTime();
    this.#latest = this.#startedAt;
  }

  of(at: Date | undefined, arrivedAt: Date): Date {
    const arrived = Number.isNaN(arrivedAt.getTime()) ? this.#latest : arrivedAt.getTime();
    const told = at?.getTime() ?? Number.NaN;
    const isPossible = told >= this.#startedAt - slack && told <= arrived + slack;
    const time = Math.max(this.#latest, isPossible ? told : arrived);
    this.#latest = time;
    return new Date(time);
  }
}
