/** A goal of the ratio, or of the value when it is the same on every machine. */
export type Goal = { least: number } | { most: number } | { mostValue: number };
export type Quantity = { name: string; value: number; unit: string };

/** Something measured beside what it is compared with, in the same run: only the ratio means anything elsewhere. */
export type Figure = {
  name: string;
  value: number;
  unit: string;
  baseline: Quantity;
  ratio: number;
  /** The ratio of each round; `ratio` is their median. */
  ratios: number[];
  goal: Goal | null;
  met: boolean | null;
};
export type Failed = { name: string; failure: string };

type Measure = () => number | Promise<number>;

/** Measures one after the other, round after round: what else the machine does then meets all of them alike. */
export async function rounds<Name extends string>(
  measures: Record<Name, Measure>,
  count = 5,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(measures) as Name[]; // the type of the keys is lost
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>;
  for (let round = 0; round < count; round++) {
    for (const name of names) values[name].push(await measures[name]());
  }
  return values;
}

type Described = { name: string; unit: string; goal?: Goal; baseline: { name: string; unit: string } };

export function compareRounds(
  { name, unit, goal, baseline }: Described,
  values: number[],
  baselines: number[],
): Figure {
  const ratios = values.map((value, round) => value / (baselines[round] ?? Number.NaN));
  const [ratio, value] = [median(ratios), median(values)];
  return {
    name,
    value,
    unit,
    baseline: { ...baseline, value: median(baselines) },
    ratio,
    ratios,
    goal: goal ?? null,
    met: goal ? isMet(goal, ratio, value) : null,
  };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Milliseconds for one of `times`, the median of them. */
export async function timeOf(work: () => unknown, times: number): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return median(taken);
}

/** The 95th of a hundred, in milliseconds. */
export async function highOf(work: () => Promise<unknown>, times: number): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return taken.toSorted((one, other) => one - other)[Math.ceil(times * 0.95) - 1] ?? Number.NaN;
}

function isMet(goal: Goal, ratio: number, value: number) {
  if ("mostValue" in goal) return value <= goal.mostValue;
  return "least" in goal ? ratio >= goal.least : ratio <= goal.most;
}
