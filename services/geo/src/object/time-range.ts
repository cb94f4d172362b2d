/** A stretch of time, both ends included, in UTC milliseconds; it may be open. */
export type Stretch = { from: number; to: number };

export const ALWAYS: Stretch = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };

export function widen(stretch: Stretch | null, from: number, to: number): Stretch {
  return stretch ? { from: Math.min(stretch.from, from), to: Math.max(stretch.to, to) } : { from, to };
}
