/** One measured figure beside its floor, both taken in the same run on the same machine. */
export interface Figure {
  readonly what: string;
  readonly unit: string;
  /** Median of the rounds. */
  readonly value: number;
  readonly floor: { readonly what: string; readonly value: number };
  /** Median of the rounds' own ratios: a round in which the machine was busy slows both of its halves. */
  readonly ratio: number;
  readonly goal?: { readonly of: "ratio" | "value"; readonly max: number } | undefined;
  readonly notes: readonly string[];
}

export interface BenchOptions {
  /** Fewer tasks and rounds: shows that everything runs, not what it costs. */
  readonly quick: boolean;
  readonly say: (line: string) => void;
}

/** The middle value, or the mean of the two in the middle. NaN for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted.length % 2 === 0 ? sorted[middle - 1] : sorted[middle], sorted[middle]];
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2;
}

/** Seconds that a piece of work takes. */
export async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

export interface Rounds {
  readonly values: readonly number[];
  readonly floors: readonly number[];
}

/**
 * Takes turns: floor, ours, ours, floor, floor, ours, … so that neither always runs on the warmer machine.
 * @param measure gives one value per call, in the unit of the figure
 */
export async function interleave(rounds: number, floor: () => Promise<number>, ours: () => Promise<number>): Promise<Rounds> {
  const values: number[] = [];
  const floors: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) floors.push(await floor());
    values.push(await ours());
    if (round % 2 === 1) floors.push(await floor());
  }
  return { values, floors };
}

/** Median ratio of the rounds. */
export function ratioOf({ values, floors }: Rounds): number {
  return median(values.map((value, round) => value / (floors[round] ?? Number.NaN)));
}

const digits = (value: number) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2));

/** A figure in one line and its notes below. */
export function renderFigure(key: string, figure: Figure): string {
  const { what, unit, value, floor, ratio, goal, notes } = figure;
  const judged = goal?.of === "value" ? value : ratio;
  const verdict =
    goal === undefined ? "" : ` (goal ≤ ${goal.max}${goal.of === "value" ? ` ${unit}` : " ×"}: ${judged <= goal.max ? "met" : "missed"})`;
  const head = `${key}  ${what}: ${digits(value)} ${unit}, floor ${digits(floor.value)} ${unit} (${floor.what}), ratio ${ratio.toFixed(2)} ×${verdict}`;
  return [head, ...notes.map((note) => `   ${note}`)].join("\n");
}
